package example;

import dev.buffers.BufferPool;
import dev.buffers.ChannelBuffers;
import dev.buffers.PooledBuffer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.concurrent.Executors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

final class TlsExample {
    /** One connection. A lease is held only while bytes are in it. */
    static final class TlsConnection implements AutoCloseable {
        private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

        private final SocketChannel socket;
        private final SSLEngine engine;
        private final BufferPool pool;
        private final ChannelBuffers encrypted;

        TlsConnection(SocketChannel socket, SSLEngine engine, BufferPool pool) {
            this.socket = socket;
            this.engine = engine;
            this.pool = pool;
            this.encrypted = pool.channel();
            engine.setUseClientMode(false);
        }

        /** What the client has sent next, to be released by the caller; null at its end. */
        PooledBuffer read() throws IOException {
            PooledBuffer plain = pool.acquire(engine.getSession().getApplicationBufferSize());
            try {
                while (true) {
                    if (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
                        write(NOTHING);
                    }
                    ByteBuffer input = encrypted.input(engine.getSession().getPacketBufferSize()).flip();
                    SSLEngineResult result = engine.unwrap(input, plain.buffer());
                    input.compact();
                    runTasks();
                    if (result.bytesProduced() > 0) {
                        plain.buffer().flip();
                        return plain;
                    }
                    if (result.getStatus() == Status.CLOSED) {
                        plain.release();
                        return null;
                    }
                    if (result.getStatus() == Status.BUFFER_UNDERFLOW && encrypted.readFrom(socket) < 0) {
                        throw new SSLException("the client has gone without saying so");
                    }
                }
            } catch (IOException | RuntimeException e) {
                plain.close();
                throw e;
            }
        }

        void write(ByteBuffer plain) throws IOException {
            do {
                try (PooledBuffer record = pool.acquire(engine.getSession().getPacketBufferSize())) {
                    engine.wrap(plain, record.buffer());
                    runTasks();
                    record.buffer().flip();
                    while (record.buffer().hasRemaining()) {
                        socket.write(record.buffer());
                    }
                }
            } while (plain.hasRemaining() || engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP);
        }

        private void runTasks() {
            for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
                task.run();
            }
        }

        @Override
        public void close() throws IOException {
            try (socket;
                    encrypted) {
                engine.closeOutbound();
                write(NOTHING); // close_notify
            }
        }
    }

    public static void main(String[] args) throws Exception {
        SSLContext tls = context();
        BufferPool pool = BufferPool.create();
        String answer;
        var thread = Executors.newSingleThreadExecutor();
        try (ServerSocketChannel listener =
                ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            var server = thread.submit(() -> {
                try (var connection = new TlsConnection(listener.accept(), tls.createSSLEngine(), pool)) {
                    for (PooledBuffer request = connection.read(); request != null; request = connection.read()) {
                        connection.write(request.buffer());
                        request.release();
                    }
                }
                return null;
            });
            var address = (InetSocketAddress) listener.getLocalAddress();
            try (var client = (SSLSocket)
                    tls.getSocketFactory().createSocket(address.getAddress(), address.getPort())) {
                client.getOutputStream().write("hello".getBytes(StandardCharsets.US_ASCII));
                answer = new String(client.getInputStream().readNBytes(5), StandardCharsets.US_ASCII);
            }
            server.get();
        } finally {
            thread.shutdown();
        }
        var stats = pool.stats();
        pool.close();
        System.out.println(answer + ": " + stats.acquiresByOutcome());
        if (!answer.equals("hello") || stats.leases() != 0) {
            throw new IllegalStateException("answer=" + answer + ", " + stats);
        }
    }

    /** A key of its own, which its client trusts. */
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
