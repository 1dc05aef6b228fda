package example;

import dev.buffers.BufferPool;
import dev.buffers.PoolExhaustedException;
import dev.buffers.io.PooledInputStream;
import dev.buffers.io.PooledOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.Executors;

final class VirtualThreadsExample {
    public static void main(String[] args) throws Exception {
        BufferPool pool = BufferPool.create();
        ServerSocketChannel listener =
                ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        Random random = new Random(1);
        int echoed = 0;
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) { // waits for all of them when it is closed
            threads.submit(() -> {
                try (listener) {
                    while (true) {
                        SocketChannel socket = listener.accept();
                        threads.submit(() -> echo(socket, pool));
                    }
                } catch (ClosedChannelException e) {
                    return null; // told to end
                }
            });
            InetSocketAddress address = (InetSocketAddress) listener.getLocalAddress();
            try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
                for (int i = 0; i < 100; i++) {
                    byte[] message = new byte[1 + random.nextInt(i % 5 == 0 ? 50_000 : 300)];
                    random.nextBytes(message);
                    socket.getOutputStream().write(message);
                    byte[] answer = socket.getInputStream().readNBytes(message.length);
                    echoed += Arrays.equals(message, answer) ? 1 : 0;
                }
            }
            listener.close();
        }
        var stats = pool.stats();
        pool.close();
        System.out.println(echoed + " messages came back: " + stats.acquiresByOutcome());
        if (echoed != 100 || stats.leases() != 0 || stats.reservedBytes() == 0) {
            throw new IllegalStateException("echoed=" + echoed + ", " + stats);
        }
    }

    private static void echo(SocketChannel socket, BufferPool pool) {
        try (socket;
                PooledInputStream in = PooledInputStream.from(socket, pool);
                PooledOutputStream out = PooledOutputStream.to(socket, pool)) {
            for (int b = in.read(); b >= 0; b = in.read()) {
                out.write(b);
                if (in.available() == 0) {
                    out.flush(); // and holds no buffer for output while it waits for more
                }
            }
        } catch (IOException | PoolExhaustedException e) {
            // the client has gone, or there is no room for it: what it held is given back
        }
    }
}
