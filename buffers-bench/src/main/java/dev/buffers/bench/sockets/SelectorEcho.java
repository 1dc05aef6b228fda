// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.sockets;

import dev.buffers.bench.net.LoopbackServer;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.concurrent.ExecutorService;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One thread with a selector, which reads, and either answers itself or hands what it has read to workers that do. */
final class SelectorEcho extends LoopbackServer<SocketChannel, SelectorEcho.Connection> {
    private final Selector selector = Selector.open();
    private final @Nullable ExecutorService workers;
    private final Supplier<Memory.Buffers> buffers;

    /** Starts one; {@code workers} are its own from now on. */
    SelectorEcho(@Nullable ExecutorService workers, Supplier<Memory.Buffers> buffers) throws IOException {
        super(Listener.blocking(0));
        this.workers = workers;
        this.buffers = buffers;
        daemon(this::run, "selector").start();
        beginAccepting();
    }

    private void run() {
        while (selector.isOpen()) {
            try {
                selector.select(key -> ((Connection) key.attachment()).proceed(false));
            } catch (ClosedSelectorException | CancelledKeyException e) {
                // stopped, or a connection has ended
            } catch (IOException | RuntimeException | Error e) {
                failed(e);
                pause();
            }
        }
    }

    @Override
    protected void take(SocketChannel channel) throws IOException {
        channel.configureBlocking(false);
        Connection connection = new Connection(channel, channel.register(selector, 0));
        open().add(connection);
        connection.key.attach(connection);
        connection.key.interestOps(SelectionKey.OP_READ);
        selector.wakeup();
    }

    @Override
    protected void stop() throws IOException, InterruptedException {
        endAll();
        selector.close();
        if (workers != null) {
            workers.shutdown();
        }
    }

    /** Is touched by the selector's thread, or, while its key has no interest, by one worker. */
    final class Connection implements Closeable {
        private final SocketChannel channel;
        private final SelectionKey key;
        private final Memory.Buffers mine = buffers.get();
        private @Nullable ByteBuffer answer;

        Connection(SocketChannel channel, SelectionKey key) {
            this.channel = channel;
            this.key = key;
        }

        /** Goes on, as the selector's thread or as a worker; whatever fails, the connection ends. */
        void proceed(boolean asWorker) {
            try {
                ByteBuffer buffer = answer == null ? read() : answer;
                if (buffer == null) {
                    return;
                }
                if (workers == null || asWorker) {
                    write(buffer);
                    if (asWorker) {
                        selector.wakeup();
                    }
                } else {
                    key.interestOps(0);
                    workers.execute(() -> proceed(true));
                }
            } catch (IOException e) {
                end();
            } catch (RuntimeException | Error e) {
                failed(e);
                end();
            }
        }

        /** Reads once: the bytes to be answered, or null. */
        private @Nullable ByteBuffer read() throws IOException {
            ByteBuffer buffer = mine.take();
            int n = channel.read(buffer);
            if (n > 0) {
                answer = buffer.flip();
                return answer;
            }
            mine.giveBack();
            if (n < 0) {
                end();
            }
            return null;
        }

        /** Writes once, then says what to wait for. */
        private void write(ByteBuffer buffer) throws IOException {
            channel.write(buffer);
            boolean done = !buffer.hasRemaining();
            if (done) {
                answer = null;
                mine.giveBack();
            }
            int ops = done ? SelectionKey.OP_READ : SelectionKey.OP_WRITE;
            if (key.interestOps() != ops) {
                key.interestOps(ops);
            }
        }

        private void end() {
            mine.close();
            abandon(channel);
            open().remove(this);
        }

        /** Has the thread in charge end it: shutting down makes the channel ready to read and to write. */
        @Override
        public void close() throws IOException {
            if (channel.isOpen()) {
                channel.shutdownInput().shutdownOutput();
            }
        }
    }
}
