package example;

import dev.buffers.BufferPool;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;

public class Server {
    private static final long PAUSE_MILLIS = 1000;

    public static void main(String[] args) throws IOException {
        int port = args.length == 0 ? 8080 : Integer.parseInt(args[0]);
        SocketChannel.open().close(); // the JVM's first close takes file descriptors: now there are some
        try (BufferPool pool = BufferPool.create("web");
                Selector selector = Selector.open();
                ServerSocketChannel listener = ServerSocketChannel.open()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            SelectionKey door = listener.configureBlocking(false).register(selector, SelectionKey.OP_ACCEPT);
            System.out.println("http://127.0.0.1:" + listener.socket().getLocalPort() + "/");
            long reopens = System.nanoTime();
            while (true) {
                try {
                    selector.select(PAUSE_MILLIS);
                    if (System.nanoTime() - reopens >= 0) {
                        door.interestOps(SelectionKey.OP_ACCEPT);
                    }
                    for (SelectionKey key : selector.selectedKeys()) {
                        if (key != door) {
                            serve(key, (Connection) key.attachment());
                        } else if (!accept(listener, selector, pool)) {
                            door.interestOps(0); // still ready: the selector would return at once
                            reopens = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS);
                        }
                    }
                    selector.selectedKeys().clear();
                } catch (OutOfMemoryError e) {
                    // not even enough to say so: the next turn may find some
                }
            }
        }
    }

    /** False when no client can be accepted, most likely because no file descriptor is left. */
    private static boolean accept(ServerSocketChannel listener, Selector selector, BufferPool pool) {
        SocketChannel socket = null;
        try {
            socket = listener.accept();
            if (socket != null) {
                socket.configureBlocking(false);
                socket.register(selector, SelectionKey.OP_READ, new Connection(socket, pool));
            }
            return true;
        } catch (IOException | RuntimeException | Error e) {
            close(socket);
            System.err.println(e.getMessage());
            return false;
        }
    }

    private static void serve(SelectionKey key, Connection connection) {
        boolean open = false;
        try {
            open = connection.serve(key);
        } catch (IOException | RuntimeException | Error e) {
            System.err.println(e.getMessage());
        } finally {
            if (!open) {
                close(connection);
            }
        }
    }

    private static void close(Closeable closeable) {
        try {
            if (closeable != null) {
                closeable.close();
            }
        } catch (IOException | RuntimeException | Error e) {
            System.err.println(e.getMessage());
        }
    }
}
