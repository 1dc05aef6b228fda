package dev.buffers.bench.advise;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/**
 * Both ends of a connection inside this machine. One thread can use both: what one end wrote the other has at once, so that nobody is
 * woken and the figures are those of the calls.
 */
record Loopback(SocketChannel server, SocketChannel client) implements AutoCloseable {

    /** Both ends without waiting: whoever drives them goes back and forth between them. */
    static Loopback open() throws IOException {
        try (ServerSocketChannel listener = ServerSocketChannel.open()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            SocketChannel client = SocketChannel.open(listener.getLocalAddress());
            SocketChannel server = listener.accept();
            for (SocketChannel end : new SocketChannel[] {client, server}) {
                end.setOption(StandardSocketOptions.TCP_NODELAY, true);
                end.configureBlocking(false);
            }
            return new Loopback(server, client);
        }
    }

    @Override
    public void close() throws IOException {
        client.close();
        server.close();
    }
}
