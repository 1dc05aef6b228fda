package dev.buffers.bench.http;

import com.sun.management.ThreadMXBean;
import dev.buffers.bench.jvm.VirtualThreads;
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
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * The same site as Java 21 and later suggest to serve it: a virtual thread for each connection, and blocking channels. It does
 * not wait at the cap of its buffer source: a connection that gets no buffer fails.
 */
public final class VirtualHttpServer implements Server {
    private static final ErrorLog LOG = new ErrorLog(VirtualHttpServer.class);
    private static final int BACKLOG = 1024;
    private static final long TICK_MILLIS = 500;
    private static final long PATIENCE_SECONDS = 5;

    private final ServerOptions options;
    private final BufferSource source;
    private final ServerSocketChannel listener;
    private final ThreadFactory threads = VirtualThreads.factory();
    private final List<SharedSite> sites = new ArrayList<>();
    private final Set<BlockingConnection> connections = ConcurrentHashMap.newKeySet();
    private final LongAdder served = new LongAdder();
    private final LongAdder failures = new LongAdder();
    private int next;
    private volatile boolean stopping;

    private VirtualHttpServer(ServerOptions options, BufferSource source) throws IOException {
        this.options = options;
        this.source = source;
        this.listener = ServerSocketChannel.open();
    }

    /** Starts a server that takes its buffers from {@code source}, which it does not close. */
    public static VirtualHttpServer start(ServerOptions options, BufferSource source) throws IOException {
        DocumentRoot root = new DocumentRoot(options.root());
        AcceptLoop.prepare();
        VirtualHttpServer server = new VirtualHttpServer(options, source);
        try {
            server.listener.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            server.listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), options.port()), BACKLOG);
            for (int i = 0; i < options.workers(); i++) {
                server.sites.add(new SharedSite(root));
            }
            run(new AcceptLoop<>(server.listener, server.listener::accept, server::serve, LOG), "http-acceptor");
            run(server::closeOverdue, "http-timeouts");
            return server;
        } catch (IOException | RuntimeException | Error e) {
            server.close();
            throw e;
        }
    }

    private static void run(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }

    private void serve(SocketChannel channel) throws IOException {
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        BlockingConnection connection = new BlockingConnection(this, sites.get(next), channel, source.connection());
        next = (next + 1) % sites.size();
        connections.add(connection);
        try {
            threads.newThread(connection).start();
        } catch (RuntimeException | Error e) {
            connection.end();
            throw e;
        }
    }

    private void closeOverdue() {
        while (!stopping) {
            try {
                Thread.sleep(TICK_MILLIS);
            } catch (InterruptedException e) {
                return;
            }
            for (BlockingConnection connection : connections) {
                try {
                    connection.closeIfOverdue(System.nanoTime());
                } catch (IOException | RuntimeException | Error e) {
                    failed(e);
                }
            }
        }
    }

    ServerOptions options() {
        return options;
    }

    void served() {
        served.increment();
    }

    void failed(Throwable e) {
        failures.increment();
        LOG.error("the server failed", e);
    }

    void closed(BlockingConnection connection) {
        connections.remove(connection);
    }

    @Override
    public int port() {
        return listener.socket().getLocalPort();
    }

    @Override
    public int connections() {
        return connections.size();
    }

    @Override
    public long responses() {
        return served.sum();
    }

    @Override
    public long failures() {
        return failures.sum();
    }

    /** By all threads of the JVM: what a virtual thread allocates is counted with the thread that carries it. */
    @Override
    public long allocatedBytes() {
        try {
            return (long) ThreadMXBean.class
                    .getMethod("getTotalThreadAllocatedBytes")
                    .invoke(ManagementFactory.getThreadMXBean());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("Java 21 counts them", e);
        }
    }

    @Override
    public void close() {
        stopping = true;
        long patience = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        try {
            listener.close();
            while (!connections.isEmpty() && System.nanoTime() - patience < 0) {
                for (BlockingConnection connection : connections) {
                    connection.stop();
                }
                Thread.sleep(1);
            }
        } catch (IOException e) {
            failed(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        sites.forEach(SharedSite::close);
    }
}
