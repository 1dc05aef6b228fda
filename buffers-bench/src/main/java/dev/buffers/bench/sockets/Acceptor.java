package dev.buffers.bench.sockets;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.ByteChannel;
import java.nio.channels.Channel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/** Where channels come from whose reads and writes wait. */
interface Acceptor extends Channel {

    /** Waits for the next connection. */
    ByteChannel accept() throws IOException;

    int port() throws IOException;

    /** Of blocking channels. */
    static Acceptor blocking() throws IOException {
        return new Blocking(ServerSocketChannel.open().bind(loopback(), EchoServer.BACKLOG));
    }

    /** Of asynchronous channels whose futures are waited for: how the source of claims E used them. */
    static Acceptor futures() throws IOException {
        return new Futures(AsynchronousServerSocketChannel.open().bind(loopback(), EchoServer.BACKLOG));
    }

    private static InetSocketAddress loopback() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    /** Of blocking channels. */
    record Blocking(ServerSocketChannel listener) implements Acceptor {
        @Override
        public ByteChannel accept() throws IOException {
            SocketChannel channel = listener.accept();
            return channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        }

        @Override
        public int port() {
            return listener.socket().getLocalPort();
        }

        @Override
        public boolean isOpen() {
            return listener.isOpen();
        }

        @Override
        public void close() throws IOException {
            listener.close();
        }
    }

    /** Of asynchronous channels in the JVM's own group. */
    record Futures(AsynchronousServerSocketChannel listener) implements Acceptor {
        @Override
        public ByteChannel accept() throws IOException {
            AsynchronousSocketChannel channel = await(listener.accept());
            return new FutureChannel(channel.setOption(StandardSocketOptions.TCP_NODELAY, true));
        }

        @Override
        public int port() throws IOException {
            return ((InetSocketAddress) listener.getLocalAddress()).getPort();
        }

        @Override
        public boolean isOpen() {
            return listener.isOpen();
        }

        @Override
        public void close() throws IOException {
            listener.close();
        }

        static <T> T await(Future<T> future) throws IOException {
            try {
                return future.get();
            } catch (ExecutionException e) {
                throw new IOException(e.getCause());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException();
            }
        }
    }

    /** Waits for each operation's future. */
    record FutureChannel(AsynchronousSocketChannel channel) implements ByteChannel {
        @Override
        public int read(ByteBuffer target) throws IOException {
            return Futures.await(channel.read(target));
        }

        @Override
        public int write(ByteBuffer source) throws IOException {
            return Futures.await(channel.write(source));
        }

        @Override
        public boolean isOpen() {
            return channel.isOpen();
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
