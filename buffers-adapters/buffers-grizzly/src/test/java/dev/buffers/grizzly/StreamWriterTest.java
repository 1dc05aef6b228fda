// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.grizzly;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.glassfish.grizzly.Buffer;
import org.glassfish.grizzly.Connection;
import org.glassfish.grizzly.StandaloneProcessor;
import org.glassfish.grizzly.memory.MemoryManager;
import org.glassfish.grizzly.memory.PooledMemoryManager;
import org.glassfish.grizzly.nio.transport.TCPNIOTransport;
import org.glassfish.grizzly.nio.transport.TCPNIOTransportBuilder;
import org.glassfish.grizzly.streams.StreamWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Bytes written through a {@code StreamWriter}, whose buffer Grizzly uses again after each flush, arrive. */
class StreamWriterTest {
    /** As much as a {@code DataOutputStream} writes the same way. */
    private interface Writes {
        void to(StreamWriter writer, DataOutputStream expected) throws Exception;
    }

    /** What {@code writes} wrote, in the order of the bytes, has to come out of a socket. */
    private static void arrives(MemoryManager<?> memory, int bufferSize, boolean blocking, Writes writes)
            throws Exception {
        TCPNIOTransport transport = TCPNIOTransportBuilder.newInstance()
                .setMemoryManager(memory)
                .setWriteBufferSize(bufferSize)
                .setProcessor(StandaloneProcessor.INSTANCE)
                .build();
        transport.start();
        ExecutorService threads = Executors.newSingleThreadExecutor();
        try (ServerSocket server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            Connection<?> connection =
                    transport.connect("127.0.0.1", server.getLocalPort()).get(300, TimeUnit.SECONDS);
            connection.configureBlocking(blocking);
            try (Socket socket = server.accept()) {
                socket.setSoTimeout(60_000);
                Future<byte[]> read =
                        threads.submit(() -> socket.getInputStream().readAllBytes());
                ByteArrayOutputStream expected = new ByteArrayOutputStream();
                StreamWriter writer = StandaloneProcessor.INSTANCE.getStreamWriter(connection);
                try {
                    writes.to(writer, new DataOutputStream(expected));
                    writer.flush().get(300, TimeUnit.SECONDS);
                } finally {
                    connection.close().get(300, TimeUnit.SECONDS);
                }
                assertArrayEquals(expected.toByteArray(), read.get(300, TimeUnit.SECONDS));
            }
        } finally {
            threads.shutdownNow();
            transport.shutdownNow();
        }
    }

    private static void run(Subject subject, int bufferSize, Writes writes) throws Exception {
        for (boolean blocking : new boolean[] {true, false}) {
            MemoryManager<?> memory = subject.make();
            try {
                arrives(memory, bufferSize, blocking, writes);
            } finally {
                subject.close(memory);
            }
        }
    }

    private static void flushes(StreamWriter writer, DataOutputStream expected) throws Exception {
        for (int i = 0; i < 20; i++) {
            writer.writeLong(i);
            expected.writeLong(i);
            writer.flush().get(300, TimeUnit.SECONDS);
        }
    }

    @ParameterizedTest
    @EnumSource
    void flushedAgainAndAgain(Subject subject) throws Exception {
        run(subject, 8192, StreamWriterTest::flushes);
    }

    /** Grizzly's own pool lets each buffer be disposed of too, and fails. */
    @Test
    void grizzlysPoolFailsAtTheSecondFlush() {
        PooledMemoryManager memory = new PooledMemoryManager(4096, 3, 2, 1, 0.01f, 0, false);
        assertThrows(RuntimeException.class, () -> arrives(memory, 4096, true, StreamWriterTest::flushes));
    }

    /** The writer's buffer overflows at times, without a flush by the caller. */
    @ParameterizedTest
    @EnumSource
    void moreThanTheBufferHolds(Subject subject) throws Exception {
        run(subject, 1000, (writer, expected) -> {
            for (int i = 0; i < 3000; i++) {
                writer.writeByte((byte) i);
                expected.writeByte(i);
                writer.writeInt(i);
                expected.writeInt(i);
            }
        });
    }

    /** Grizzly makes a composite of the buffers between the values, with slices of the writer's buffer. */
    @ParameterizedTest
    @EnumSource
    void buffersBetweenSingleValues(Subject subject) throws Exception {
        run(subject, 8192, (writer, expected) -> {
            @SuppressWarnings("unchecked")
            MemoryManager<Buffer> memory = writer.getConnection().getMemoryManager();
            for (int i = 0; i < 20; i++) {
                byte[] bytes = new byte[100 * i + 1];
                new Random(i).nextBytes(bytes);
                writer.writeInt(i);
                expected.writeInt(i);
                writer.writeByteArray(bytes);
                expected.write(bytes);
                writer.writeShort((short) i);
                expected.writeShort(i);
                Buffer buffer = memory.allocate(bytes.length).put(bytes).flip();
                buffer.allowBufferDispose(true);
                writer.writeBuffer(buffer);
                expected.write(bytes);
                writer.flush().get(300, TimeUnit.SECONDS);
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void anyMixture(Subject subject) throws Exception {
        run(subject, 2000, (writer, expected) -> {
            Random random = new Random(1);
            for (int i = 0; i < 2000; i++) {
                long value = random.nextLong();
                switch (random.nextInt(9)) {
                    case 0 -> {
                        writer.writeBoolean(value > 0);
                        expected.writeBoolean(value > 0);
                    }
                    case 1 -> {
                        writer.writeByte((byte) value);
                        expected.writeByte((byte) value);
                    }
                    case 2 -> {
                        writer.writeChar((char) value);
                        expected.writeChar((char) value);
                    }
                    case 3 -> {
                        writer.writeShort((short) value);
                        expected.writeShort((short) value);
                    }
                    case 4 -> {
                        writer.writeInt((int) value);
                        expected.writeInt((int) value);
                    }
                    case 5 -> {
                        writer.writeLong(value);
                        expected.writeLong(value);
                    }
                    case 6 -> {
                        writer.writeDouble(value);
                        expected.writeDouble(value);
                    }
                    case 7 -> {
                        byte[] bytes = new byte[random.nextInt(700)];
                        random.nextBytes(bytes);
                        writer.writeByteArray(bytes);
                        expected.write(bytes);
                    }
                    default -> writer.flush(); // not waited for
                }
            }
        });
    }
}
