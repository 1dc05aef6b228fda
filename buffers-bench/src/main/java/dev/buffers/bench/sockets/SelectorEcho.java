package dev.buffers.bench.sockets;

import dev.buffers.bench.net.AcceptLoop;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One thread with a selector, which accepts, reads, and either answers itself or hands what it has read to workers that do. */
final class SelectorEcho extends EchoServer {
    private final ServerSocketChannel listener = ServerSocketChannel.open();
    private final Selector selector = Selector.open();
    private final SelectionKey door;
    private final @Nullable ExecutorService workers;
    private final Supplier<EchoBuffers> buffers;
    private boolean refused;
    private long again;

    /** Starts one; {@code workers} are its own from now on. */
    SelectorEcho(@Nullable ExecutorService workers, Supplier<EchoBuffers> buffers) throws IOException {
        this.workers = workers;
        this.buffers = buffers;
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), BACKLOG);
        listener.configureBlocking(false);
        door = listener.register(selector, SelectionKey.OP_ACCEPT);
        Lane.DAEMONS.newThread(this::run).start();
    }

    private void run() {
        while (selector.isOpen()) {
            try {
                selector.select(this::ready, refused ? AcceptLoop.PAUSE_MILLIS : 0);
                if (refused && System.nanoTime() - again >= 0) {
                    refused = false;
                    door.interestOps(SelectionKey.OP_ACCEPT);
                }
            } catch (ClosedSelectorException | CancelledKeyException e) {
                // stopped, or no longer listening
            } catch (IOException | RuntimeException | Error e) {
                failed(e);
                AcceptLoop.pause();
            }
        }
    }

    private void ready(SelectionKey key) {
        if (key.attachment() instanceof Connection connection) {
            connection.ready();
        } else {
            accept();
        }
    }

    private void accept() {
        SocketChannel channel = null;
        try {
            for (channel = listener.accept(); channel != null; channel = listener.accept()) {
                channel.configureBlocking(false);
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
                Connection connection = new Connection(channel, channel.register(selector, SelectionKey.OP_READ));
                connection.key.attach(connection);
                opened(connection);
                channel = null;
            }
        } catch (IOException | RuntimeException | Error e) {
            AcceptLoop.abandon(channel);
            if (listener.isOpen()) {
                refuse();
                LOG.refused(e);
            }
        }
    }

    /** Nobody is accepted for a while: the listener stays ready, and the thread would spin. */
    private void refuse() {
        refused = true;
        again = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(AcceptLoop.PAUSE_MILLIS);
        door.interestOps(0);
    }

    @Override
    int port() {
        return listener.socket().getLocalPort();
    }

    @Override
    void closeListener() throws IOException {
        listener.close();
    }

    @Override
    void stop() throws IOException {
        selector.close();
        if (workers != null) {
            workers.shutdown();
        }
    }

    /** Is touched by the selector's thread, or, while its key has no interest, by one worker. */
    private final class Connection implements Closeable {
        private final SocketChannel channel;
        private final SelectionKey key;
        private final EchoBuffers mine = buffers.get();
        private @Nullable ByteBuffer answer;

        Connection(SocketChannel channel, SelectionKey key) {
            this.channel = channel;
            this.key = key;
        }

        void ready() {
            try {
                if (answer == null && !read()) {
                    return;
                }
                if (workers == null) {
                    write();
                } else {
                    key.interestOps(0);
                    workers.execute(this::writeAsWorker);
                }
            } catch (IOException e) {
                end();
            } catch (RuntimeException | Error e) {
                failed(e);
                end();
            }
        }

        /** Reads once: true when there is something to answer. */
        private boolean read() throws IOException {
            ByteBuffer buffer = mine.take();
            int n = channel.read(buffer);
            if (n > 0) {
                answer = buffer.flip();
                return true;
            }
            mine.giveBack();
            if (n < 0) {
                end();
            }
            return false;
        }

        private void writeAsWorker() {
            try {
                write();
                selector.wakeup();
            } catch (IOException e) {
                end();
            } catch (RuntimeException | Error e) {
                failed(e);
                end();
            }
        }

        /** Writes once, then says what to wait for. */
        private void write() throws IOException {
            ByteBuffer buffer = answer;
            if (buffer == null) {
                return;
            }
            channel.write(buffer);
            boolean done = !buffer.hasRemaining();
            if (done) {
                answer = null;
                mine.giveBack();
            }
            interest(done ? SelectionKey.OP_READ : SelectionKey.OP_WRITE);
        }

        private void interest(int ops) {
            if (key.interestOps() != ops) {
                key.interestOps(ops);
            }
        }

        private void end() {
            try (channel) {
                mine.close();
            } catch (IOException e) {
                failed(e);
            } finally {
                closed(this);
            }
        }

        /** Has the thread in charge end it: shutting down makes the channel ready. */
        @Override
        public void close() throws IOException {
            if (channel.isOpen()) {
                channel.shutdownInput();
            }
        }
    }
}
