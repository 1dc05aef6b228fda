package dev.buffers.bench.claims.sockets;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.ThreadFactory;
import java.util.function.Supplier;

/** Blocking channels, and a thread for each connection. */
final class BlockingEcho extends EchoServer {
    private final ServerSocketChannel listener = ServerSocketChannel.open();
    private final ThreadFactory threads;
    private final Supplier<EchoBuffers> buffers;

    BlockingEcho(ThreadFactory threads, Supplier<EchoBuffers> buffers) throws IOException {
        this.threads = threads;
        this.buffers = buffers;
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), BACKLOG);
        Lane.DAEMONS.newThread(this::accept).start();
    }

    private void accept() {
        while (listener.isOpen()) {
            try {
                SocketChannel channel = listener.accept();
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
                opened(channel);
                threads.newThread(() -> serve(channel)).start();
            } catch (IOException e) {
                if (listener.isOpen()) {
                    failed(e);
                }
            }
        }
    }

    private void serve(SocketChannel channel) {
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
    int port() {
        return listener.socket().getLocalPort();
    }

    @Override
    void closeListener() throws IOException {
        listener.close();
    }

    @Override
    void stop() {}
}
