package dev.buffers.bench.sockets;

import dev.buffers.bench.net.AcceptLoop;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousChannelGroup;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.CompletionHandler;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.ObjIntConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Asynchronous channels in a group of some threads, which either answer themselves or hand what was read to workers that do. A
 * read that waits has its buffer already: that is how asynchronous channels are.
 */
final class AsyncEcho extends EchoServer {
    private static final CompletionHandler<Integer, Connection> READ = new Handler(Connection::afterRead);
    private static final CompletionHandler<Integer, Connection> WRITE = new Handler((one, n) -> one.afterWrite());

    /** Where a failed accept is tried again, not to hold up the group's threads. */
    private static final Executor LATER =
            CompletableFuture.delayedExecutor(AcceptLoop.PAUSE_MILLIS, TimeUnit.MILLISECONDS);

    private final AsynchronousChannelGroup group;
    private final AsynchronousServerSocketChannel listener;
    private final @Nullable ExecutorService workers;
    private final Supplier<EchoBuffers> buffers;

    /** Starts one; {@code workers} are its own from now on. */
    AsyncEcho(int threads, @Nullable ExecutorService workers, Supplier<EchoBuffers> buffers) throws IOException {
        this.group = AsynchronousChannelGroup.withFixedThreadPool(threads, Lane.DAEMONS);
        this.listener = AsynchronousServerSocketChannel.open(group);
        this.workers = workers;
        this.buffers = buffers;
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), BACKLOG);
        accept();
    }

    private void accept() {
        try {
            listener.accept(this, new CompletionHandler<>() {
                @Override
                public void completed(AsynchronousSocketChannel channel, AsyncEcho server) {
                    server.accepted(channel);
                }

                @Override
                public void failed(Throwable e, AsyncEcho server) {
                    server.refused(e);
                }
            });
        } catch (RuntimeException | Error e) {
            refused(e);
        }
    }

    private void refused(Throwable e) {
        if (listener.isOpen()) {
            LATER.execute(this::accept);
            LOG.refused(e);
        }
    }

    private void accepted(AsynchronousSocketChannel channel) {
        Closeable accepted = channel;
        try {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            Connection connection = new Connection(channel);
            accepted = connection::end;
            opened(connection);
            connection.read();
        } catch (IOException | RuntimeException | Error e) {
            AcceptLoop.abandon(accepted);
            failed(e);
        }
        if (listener.isOpen()) {
            accept();
        }
    }

    @Override
    int port() throws IOException {
        return ((InetSocketAddress) listener.getLocalAddress()).getPort();
    }

    @Override
    void closeListener() throws IOException {
        listener.close();
    }

    @Override
    void stop() {
        group.shutdown();
        if (workers != null) {
            workers.shutdown();
        }
    }

    /** What is done when a read or a write is. */
    private record Handler(ObjIntConsumer<Connection> then) implements CompletionHandler<Integer, Connection> {
        @Override
        public void completed(Integer n, Connection connection) {
            try {
                then.accept(connection, n);
            } catch (RuntimeException | Error e) {
                EchoServer.failed(e);
                connection.end();
            }
        }

        @Override
        public void failed(Throwable e, Connection connection) {
            connection.end();
        }
    }

    /** Has one operation under way at a time, so that one thread at a time touches it. */
    private final class Connection implements Closeable {
        private final AsynchronousSocketChannel channel;
        private final EchoBuffers mine = buffers.get();
        private ByteBuffer buffer = ByteBuffer.allocate(0);

        Connection(AsynchronousSocketChannel channel) {
            this.channel = channel;
        }

        void read() {
            buffer = mine.take();
            channel.read(buffer, this, READ);
        }

        void afterRead(int n) {
            buffer.flip();
            if (n < 0) {
                end();
            } else if (workers == null) {
                write();
            } else {
                workers.execute(this::write);
            }
        }

        private void write() {
            channel.write(buffer, this, WRITE);
        }

        void afterWrite() {
            if (buffer.hasRemaining()) {
                write();
            } else {
                mine.giveBack();
                read();
            }
        }

        void end() {
            mine.giveBack();
            mine.close();
            try {
                channel.close();
            } catch (IOException e) {
                EchoServer.failed(e);
            } finally {
                closed(this);
            }
        }

        /** Has the operation under way fail, which ends it. */
        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
