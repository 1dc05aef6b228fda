package example;

import dev.buffers.BufferPool;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

public class Server {
    public static void main(String[] args) throws IOException {
        int port = args.length == 0 ? 8080 : Integer.parseInt(args[0]);
        try (BufferPool pool = BufferPool.create("web");
                Selector selector = Selector.open();
                ServerSocketChannel door = ServerSocketChannel.open()) {
            door.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            door.configureBlocking(false).register(selector, SelectionKey.OP_ACCEPT);
            System.out.println("http://127.0.0.1:" + door.socket().getLocalPort() + "/");
            while (true) {
                selector.select();
                for (SelectionKey key : selector.selectedKeys()) {
                    if (key.isAcceptable()) {
                        accept(door, selector, pool);
                    } else {
                        serve(key, (Connection) key.attachment());
                    }
                }
                selector.selectedKeys().clear();
            }
        }
    }

    private static void accept(ServerSocketChannel door, Selector selector, BufferPool pool) throws IOException {
        SocketChannel socket = door.accept();
        if (socket != null) {
            socket.configureBlocking(false);
            socket.register(selector, SelectionKey.OP_READ, new Connection(socket, pool));
        }
    }

    private static void serve(SelectionKey key, Connection connection) throws IOException {
        boolean open = false;
        try {
            open = connection.serve(key);
        } catch (IOException | RuntimeException e) {
            System.err.println(e.getMessage());
        } finally {
            if (!open) {
                connection.close();
            }
        }
    }
}
