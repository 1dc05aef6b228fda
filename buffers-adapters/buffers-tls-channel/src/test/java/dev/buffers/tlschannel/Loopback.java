// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.tlschannel;

import dev.buffers.BufferPool;
import dev.buffers.adapters.Certificate;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import tlschannel.ClientTlsChannel;
import tlschannel.ServerTlsChannel;
import tlschannel.TlsChannel;

/** One real connection over loopback: the server's end on a pool, the client's on TLS Channel's own buffers. */
final class Loopback implements AutoCloseable {
    static final SSLContext CONTEXT = context();

    final SocketChannel serverSocket;
    final SocketChannel clientSocket;
    final TlsChannel server;
    final TlsChannel client;

    Loopback(BufferPool pool, String protocol) throws IOException {
        this(pool, protocol, null);
    }

    /** {@code wire}: what the client writes to, in place of its socket; made of that. */
    Loopback(BufferPool pool, String protocol, Wire.Maker wire) throws IOException {
        try (ServerSocketChannel listener =
                ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            clientSocket = SocketChannel.open(listener.getLocalAddress());
            serverSocket = listener.accept();
        }
        server = TlsChannelBuffers.use(
                        ServerTlsChannel.newBuilder(serverSocket, CONTEXT)
                                .withEngineFactory(context -> engine(context, protocol, false)),
                        pool)
                .build();
        ByteChannel under = wire == null ? clientSocket : wire.over(clientSocket);
        client = ClientTlsChannel.newBuilder(under, engine(CONTEXT, protocol, true))
                .build();
    }

    static SSLEngine engine(SSLContext context, String protocol, boolean client) {
        SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(client);
        engine.setEnabledProtocols(new String[] {protocol});
        return engine;
    }

    private static SSLContext context() {
        try {
            return Certificate.context();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** Handshakes, with both ends blocking, and exchanges the messages that TLS 1.3 sends after that. */
    Loopback handshaken() throws Exception {
        FutureTask<Void> other = start(() -> {
            client.handshake();
            write(client, new byte[] {1});
            read(client, 1);
            return null;
        });
        read(server, 1);
        write(server, new byte[] {2});
        other.get(300, TimeUnit.SECONDS);
        return this;
    }

    static <T> FutureTask<T> start(Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(work);
        Thread thread = new Thread(task, "other-end");
        thread.setDaemon(true);
        thread.start();
        return task;
    }

    static byte[] bytes(long seed, int count) {
        byte[] bytes = new byte[count];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    static void write(TlsChannel channel, byte[] bytes) throws IOException {
        ByteBuffer source = ByteBuffer.wrap(bytes);
        while (source.hasRemaining()) {
            channel.write(source);
        }
    }

    static byte[] read(TlsChannel channel, int count) throws IOException {
        ByteBuffer into = ByteBuffer.allocate(count);
        while (into.hasRemaining()) {
            if (channel.read(into) < 0) {
                throw new IllegalStateException("the end after " + into.position() + " of " + count + " bytes");
            }
        }
        return into.array();
    }

    @Override
    public void close() {
        try {
            server.close();
            client.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
