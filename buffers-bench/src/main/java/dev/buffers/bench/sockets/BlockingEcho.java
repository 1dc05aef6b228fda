package dev.buffers.bench.sockets;

import dev.buffers.bench.net.AcceptLoop;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.util.concurrent.ThreadFactory;
import java.util.function.Supplier;

/** A thread for each connection, which waits for each read and write. */
final class BlockingEcho extends EchoServer {
    private final Acceptor acceptor;
    private final ThreadFactory threads;
    private final Supplier<EchoBuffers> buffers;

    BlockingEcho(Acceptor acceptor, ThreadFactory threads, Supplier<EchoBuffers> buffers) throws IOException {
        this.acceptor = acceptor;
        this.threads = threads;
        this.buffers = buffers;
        Lane.DAEMONS
                .newThread(new AcceptLoop<>(acceptor, acceptor::accept, this::accepted, LOG))
                .start();
    }

    private void accepted(ByteChannel channel) {
        opened(channel);
        try {
            threads.newThread(() -> serve(channel)).start();
        } catch (RuntimeException | Error e) {
            closed(channel);
            throw e;
        }
    }

    private void serve(ByteChannel channel) {
        try (channel;
                EchoBuffers mine = buffers.get()) {
            ByteBuffer buffer = mine.take();
            while (channel.read(buffer) >= 0) {
                buffer.flip();
                while (buffer.hasRemaining()) {
                    channel.write(buffer);
                }
                mine.giveBack();
                buffer = mine.take();
            }
            mine.giveBack();
        } catch (IOException e) {
            // the client's end of the socket
        } catch (RuntimeException | Error e) {
            failed(e);
        } finally {
            closed(channel);
        }
    }

    @Override
    int port() throws IOException {
        return acceptor.port();
    }

    @Override
    void closeListener() throws IOException {
        acceptor.close();
    }

    @Override
    void stop() {}
}
