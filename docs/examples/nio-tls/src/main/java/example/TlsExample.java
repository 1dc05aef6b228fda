package example;

import dev.buffers.AcquireOutcome;
import dev.buffers.BufferPool;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.Executors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

final class TlsExample {
    /** Serves that many connections, on one thread. */
    private static void serve(ServerSocketChannel listener, SSLContext context, BufferPool pool, int connections)
            throws IOException {
        listener.configureBlocking(false);
        try (Selector selector = Selector.open()) {
            listener.register(selector, SelectionKey.OP_ACCEPT);
            int left = connections;
            while (left > 0) {
                selector.select();
                for (SelectionKey key : selector.selectedKeys()) {
                    if (key.isAcceptable()) {
                        SocketChannel socket = listener.accept();
                        if (socket != null) {
                            socket.configureBlocking(false);
                            socket.register(selector, SelectionKey.OP_READ, new TlsConnection(socket, context, pool));
                        }
                    } else if (!serve((TlsConnection) key.attachment(), key)) {
                        left--;
                    }
                }
                selector.selectedKeys().clear();
            }
        }
    }

    /** Returns whether the connection goes on. */
    private static boolean serve(TlsConnection connection, SelectionKey key) throws IOException {
        int next = 0;
        try {
            next = connection.echo();
        } catch (IOException e) {
            System.err.println("a connection was ended: " + e);
        }
        if (next == 0) {
            connection.close();
            return false;
        }
        key.interestOps(next);
        return true;
    }

    public static void main(String[] args) throws Exception {
        SSLContext tls = context();
        BufferPool pool = BufferPool.create();
        Random random = new Random(1);
        int echoed = 0;
        var thread = Executors.newSingleThreadExecutor();
        try (ServerSocketChannel listener =
                ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            var server = thread.submit(() -> {
                serve(listener, tls, pool, 2);
                return null;
            });
            var address = (InetSocketAddress) listener.getLocalAddress();
            for (int connection = 0; connection < 2; connection++) {
                try (var client = (SSLSocket)
                        tls.getSocketFactory().createSocket(address.getAddress(), address.getPort())) {
                    for (int i = 0; i < 50; i++) {
                        byte[] message = new byte[1 + random.nextInt(i % 5 == 0 ? 50_000 : 300)];
                        random.nextBytes(message);
                        client.getOutputStream().write(message);
                        byte[] answer = client.getInputStream().readNBytes(message.length);
                        echoed += Arrays.equals(message, answer) ? 1 : 0;
                    }
                }
            }
            server.get();
        } finally {
            thread.shutdown();
        }
        var stats = pool.stats();
        pool.close();
        System.out.println(echoed + " messages came back: " + stats.acquiresByOutcome());
        if (echoed != 100 || stats.leases() != 0 || stats.acquires(AcquireOutcome.CARVED) == 0) {
            throw new IllegalStateException("echoed=" + echoed + ", " + stats);
        }
    }

    /** The server's key, which the client trusts. */
    private static SSLContext context() throws Exception {
        char[] password = "changeit".toCharArray();
        Path file = Files.createTempDirectory("example").resolve("keys.p12");
        String keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        new ProcessBuilder((keytool + " -genkeypair -keyalg EC -alias example -dname CN=localhost -storetype PKCS12"
                                + " -storepass changeit -keystore " + file)
                        .split(" "))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            keys.load(in, password);
        }
        Files.delete(file);
        KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        own.init(keys, password);
        TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trusted.init(keys);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(own.getKeyManagers(), trusted.getTrustManagers(), null);
        return context;
    }
}
