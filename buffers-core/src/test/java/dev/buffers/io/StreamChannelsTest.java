// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.ReleaseOutcome;
import dev.buffers.support.PoolKind;
import dev.buffers.support.Refusal;
import dev.buffers.support.Threads;
import dev.buffers.support.channels.Sockets;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.FileChannel;
import java.nio.channels.Pipe;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** On the JDK's own channels: files, sockets over the loopback, pipes. */
class StreamChannelsTest {
    private static final int SIZE = 4096;

    @TempDir
    Path folder;

    private final BufferPool heap = PoolKind.of("heap-view").pool("channels", 64 << 10);
    private final BufferPool direct = PoolKind.of("direct-view").pool("channels", 64 << 10);
    private final byte[] content = new byte[600_003];

    StreamChannelsTest() {
        new Random(6).nextBytes(content);
    }

    @AfterEach
    void nothingIsOut() {
        for (BufferPool pool : new BufferPool[] {heap, direct}) {
            PoolKind.assertNothingOut(pool);
            assertEquals(0, pool.stats().releases(ReleaseOutcome.DISCARDED));
            pool.close();
        }
    }

    private void writeInPieces(PooledOutputStream out) throws IOException {
        Random random = new Random(7);
        for (int at = 0; at < content.length; ) {
            int n = Math.min(content.length - at, random.nextInt(random.nextInt(5) == 0 ? 40_000 : 3000));
            if (random.nextBoolean()) {
                out.write(content, at, n);
            } else {
                out.write(ByteBuffer.wrap(content, at, n));
            }
            at += n;
        }
    }

    private static byte[] readInPieces(PooledInputStream in) throws IOException {
        Random random = new Random(8);
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        byte[] piece = new byte[10_000];
        for (; ; ) {
            int n = in.read(piece, 0, 1 + random.nextInt(random.nextInt(3) == 0 ? piece.length : 1000));
            if (n < 0) {
                return all.toByteArray();
            }
            all.write(piece, 0, n);
        }
    }

    @Test
    void aFile() throws IOException {
        Path file = folder.resolve("file");
        try (PooledOutputStream out = PooledOutputStream.to(
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE), heap, direct, SIZE)) {
            writeInPieces(out);
        }
        assertArrayEquals(content, Files.readAllBytes(file));
        try (PooledInputStream in = PooledInputStream.from(FileChannel.open(file), direct, SIZE)) {
            assertArrayEquals(content, readInPieces(in));
        }
        try (PooledInputStream in = PooledInputStream.from(FileChannel.open(file), heap)) {
            assertArrayEquals(content, in.readAllBytes());
        }
    }

    @Test
    void aFileIsSkippedByItsPosition() throws IOException {
        Path file = Files.write(folder.resolve("file"), content);
        FileChannel channel = FileChannel.open(file);
        try (PooledInputStream in = PooledInputStream.from(channel, direct, SIZE)) {
            assertEquals(content.length, in.available());
            assertEquals(content[0] & 0xFF, in.read());
            assertEquals(content.length - 1, in.available());
            assertEquals(SIZE - 1, in.skip(300_000));
            assertEquals(300_000, in.skip(300_000));
            assertEquals(SIZE + 300_000, channel.position());
            assertEquals(content[SIZE + 300_000] & 0xFF, in.read());
            in.skipNBytes(SIZE - 1);
            assertEquals(content.length - 2 * SIZE - 300_000, in.skip(Long.MAX_VALUE));
            assertEquals(content.length, channel.position());
            assertEquals(0, in.skip(1));
            assertEquals(-1, in.read());
            assertEquals(0, in.available());
        }
    }

    /** It says that it has 0 bytes. */
    @Test
    void aFileThatDoesNotKnowItsSize() throws IOException {
        Path stat = Path.of("/proc/self/status");
        if (Files.exists(stat)) {
            try (PooledInputStream in = PooledInputStream.from(FileChannel.open(stat), direct, SIZE)) {
                assertTrue(in.skip(5) > 0);
                assertTrue(in.read() >= 0);
            }
        }
    }

    /** It is a file channel without a position. */
    @Test
    void fileThatIsPipeIsSkippedByReading() throws Exception {
        Path fifo = folder.resolve("fifo");
        assertEquals(0, new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor());
        FileChannel both = FileChannel.open(fifo, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try (PooledInputStream in = PooledInputStream.from(both, direct, SIZE)) {
            both.write(ByteBuffer.wrap(new byte[] {1, 2, 3}));
            assertEquals(0, in.available());
            assertEquals(1, in.skip(1));
            assertEquals(2, in.available());
            assertEquals(2, in.read());
            assertEquals(3, in.read());
            assertEquals(0, in.available());
        }
    }

    /** A stream has no datagrams: an empty one would be its end, and a long one would be cut. */
    @Test
    void datagramChannelIsRefusedWhenTheStreamIsMade() throws IOException {
        try (DatagramChannel datagrams = DatagramChannel.open();
                Pipe.SourceChannel source = Pipe.open().source()) {
            Transfers transfers = new Transfers(heap);
            for (Executable use : List.<Executable>of(
                    () -> PooledInputStream.from(datagrams, heap),
                    () -> PooledOutputStream.to(datagrams, heap),
                    () -> transfers.transfer(datagrams, OutputStream.nullOutputStream()),
                    () -> transfers.transfer(source, datagrams))) {
                Refusal.of(use, "DatagramChannel");
            }
            assertTrue(datagrams.isOpen());
        }
    }

    @ParameterizedTest
    @MethodSource("dev.buffers.support.PoolKind#chosen")
    void aSocket(PoolKind kind) throws Exception {
        try (BufferPool pool = kind.pool("socket", SIZE);
                Sockets<SocketChannel> sockets = Sockets.connect()) {
            sockets.near().setOption(StandardSocketOptions.SO_SNDBUF, 20_000);
            Future<byte[]> reader = Threads.begin(() -> {
                try (PooledInputStream in = PooledInputStream.from(sockets.far(), pool, SIZE)) {
                    return readInPieces(in);
                }
            });
            try (PooledOutputStream out = PooledOutputStream.to(sockets.near(), pool, direct, SIZE)) {
                writeInPieces(out);
            }
            assertArrayEquals(content, reader.get());
            PoolKind.assertNothingOut(pool);
        }
    }
}
