package dev.buffers.bench.http;

import com.sun.management.ThreadMXBean;
import dev.buffers.bench.net.AcceptLoop;
import dev.buffers.bench.net.ErrorLog;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A running server: one thread accepts on the loopback interface and deals the connections out to the workers in turn. */
public final class HttpServer implements Server {
    private static final ErrorLog LOG = new ErrorLog(HttpServer.class);
    private static final int BACKLOG = 1024;

    private final ServerSocketChannel listener;
    private final List<Worker> workers = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final Thread acceptor;
    private int next;

    private HttpServer(ServerSocketChannel listener) {
        this.listener = listener;
        this.acceptor = new Thread(new AcceptLoop<>(listener, listener::accept, this::deal, LOG), "http-acceptor");
    }

    /** Starts a server that takes its buffers from {@code source}, which it does not close. */
    public static HttpServer start(ServerOptions options, BufferSource source) throws IOException {
        DocumentRoot root = new DocumentRoot(options.root());
        AcceptLoop.prepare();
        HttpServer server = new HttpServer(ServerSocketChannel.open());
        try {
            server.listener.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            InetAddress loopback = InetAddress.getLoopbackAddress();
            server.listener.bind(new InetSocketAddress(loopback, options.port()), BACKLOG);
            for (int i = 0; i < options.workers(); i++) {
                Worker worker = new Worker(options, source, root);
                server.workers.add(worker);
                server.run(new Thread(worker, "http-worker-" + i));
            }
            server.run(server.acceptor);
            return server;
        } catch (IOException | RuntimeException | Error e) {
            server.close();
            throw e;
        }
    }

    private void run(Thread thread) {
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }

    private void deal(SocketChannel channel) throws IOException {
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        workers.get(next).adopt(channel);
        next = (next + 1) % workers.size();
    }

    @Override
    public int port() {
        return listener.socket().getLocalPort();
    }

    @Override
    public int connections() {
        return workers.stream().mapToInt(Worker::open).sum();
    }

    @Override
    public long responses() {
        return workers.stream().mapToLong(Worker::responses).sum();
    }

    @Override
    public long failures() {
        return workers.stream().mapToLong(Worker::failures).sum();
    }

    @Override
    public long allocatedBytes() {
        ThreadMXBean bean = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long[] ids = threads.stream().mapToLong(Thread::getId).toArray();
        return Arrays.stream(bean.getThreadAllocatedBytes(ids))
                .filter(n -> n > 0)
                .sum();
    }

    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException e) {
            // no longer listening either way
        }
        boolean interrupted = !join(acceptor);
        workers.forEach(Worker::stop);
        for (Thread thread : threads) {
            interrupted |= !join(thread);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean join(Thread thread) {
        try {
            thread.join();
            return true;
        } catch (InterruptedException e) {
            return false;
        }
    }
}
