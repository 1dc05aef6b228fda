// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.tlschannel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.junit.CheckedPool;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tlschannel.ClientTlsChannel;
import tlschannel.NeedsTaskException;
import tlschannel.ServerTlsChannel;
import tlschannel.SniSslContextFactory;
import tlschannel.TlsChannel;
import tlschannel.WouldBlockException;

/** Handshakes of each kind that TLS Channel knows hold nothing afterwards. */
@ExtendWith(CheckedPool.class)
class HandshakeTest {

    /** TLS 1.2 has it. With {@code jdk.tls.rejectClientInitiatedRenegotiation=true} the JDK refuses, and the connection ends. */
    @Test
    void aClientThatNegotiatesAnewIsRefused(BufferPool pool) throws Exception {
        try (Loopback connection = new Loopback(pool, "TLSv1.2")) {
            FutureTask<Void> client = Loopback.start(() -> {
                try (SSLSocket socket = (SSLSocket) Loopback.CONTEXT
                        .getSocketFactory()
                        .createSocket(connection.clientSocket.socket(), "localhost", 1, true)) {
                    socket.getOutputStream().write(1);
                    socket.startHandshake();
                }
                return null;
            });
            Loopback.read(connection.server, 1);
            SSLException refused =
                    assertThrows(SSLException.class, () -> connection.server.read(ByteBuffer.allocate(10)));
            assertTrue(refused.getMessage().contains("renegotiation is not allowed"), refused::getMessage);
            connection.server.close();
            client.cancel(true);
            assertEquals(0, pool.stats().leases());
        }
    }

    @Test
    void theNameThatTheClientAsksForChoosesTheContext(BufferPool pool) throws Exception {
        SniSslContextFactory byName = name -> Optional.of(Loopback.CONTEXT);
        try (Loopback connection = new Loopback(pool, "TLSv1.3");
                TlsChannel server = TlsChannelBuffers.use(
                                ServerTlsChannel.newBuilder(connection.serverSocket, byName), pool)
                        .build()) {
            FutureTask<byte[]> client = Loopback.start(() -> {
                Loopback.write(connection.client, Loopback.bytes(1, 100));
                return Loopback.read(connection.client, 100);
            });
            Loopback.write(server, Loopback.read(server, 100));
            assertArrayEquals(Loopback.bytes(1, 100), client.get(300, TimeUnit.SECONDS));
            assertEquals(0, pool.stats().leases());
        }
    }

    /** The client's end on the pool, and the tasks of the handshake on a thread of the user's choice. */
    @Test
    void aClientMayBeOnThePoolToo(BufferPool pool) throws Exception {
        try (Loopback connection = new Loopback(pool, "TLSv1.3")) {
            SSLEngine engine = Loopback.engine(Loopback.CONTEXT, "TLSv1.3", true);
            connection.clientSocket.configureBlocking(false);
            FutureTask<byte[]> server = Loopback.start(() -> {
                byte[] request = Loopback.read(connection.server, 20_000);
                Loopback.write(connection.server, request);
                return request;
            });
            try (TlsChannel client = TlsChannelBuffers.use(
                            ClientTlsChannel.newBuilder(connection.clientSocket, engine), pool)
                    .withRunTasks(false)
                    .build()) {
                ByteBuffer request = ByteBuffer.wrap(Loopback.bytes(2, 20_000));
                ByteBuffer answer = ByteBuffer.allocate(20_000);
                int tasks = 0;
                while (answer.hasRemaining()) {
                    try {
                        if (request.hasRemaining()) {
                            client.write(request);
                        } else {
                            client.read(answer);
                        }
                    } catch (NeedsTaskException e) {
                        e.getTask().run();
                        tasks++;
                    } catch (WouldBlockException e) {
                        Thread.sleep(1);
                    }
                }
                assertTrue(tasks > 0);
                assertArrayEquals(request.array(), answer.array());
                assertArrayEquals(request.array(), server.get(300, TimeUnit.SECONDS));
                assertEquals(0, pool.stats().leases());
            }
        }
    }
}
