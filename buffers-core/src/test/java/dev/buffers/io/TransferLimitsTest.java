// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.support.Jvm;
import dev.buffers.support.PoolKind;
import dev.buffers.support.Threads;
import dev.buffers.support.channels.Failures;
import dev.buffers.support.channels.Sockets;
import java.io.ByteArrayInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Transfers far larger than any buffer, to peers that leave, stay silent or are closed by another thread. */
class TransferLimitsTest {
    private static final long LARGE = 5L << 30;
    private static final int READ_BY_PEER = 40 << 20;

    @TempDir
    Path folder;

    private final BufferPool pool = PoolKind.of("direct-view").builder().build();
    private final Transfers transfers = new Transfers(pool);
    private Sockets<SocketChannel> sockets;

    @BeforeEach
    void connect() throws IOException {
        sockets = Sockets.connect();
    }

    @AfterEach
    void close() throws IOException {
        sockets.close();
        PoolKind.assertNothingOut(pool);
        pool.close();
    }

    /** A sparse file. */
    private FileChannel large() throws IOException {
        FileChannel file = FileChannel.open(
                folder.resolve("large"),
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                StandardOpenOption.SPARSE);
        file.write(ByteBuffer.allocate(1), LARGE - 1);
        return file;
    }

    /** The socket as an end of a transfer. */
    enum End {
        CHANNEL,
        STREAM;

        long transfer(Transfers transfers, FileChannel in, WritableByteChannel out) throws IOException {
            return this == CHANNEL
                    ? transfers.transfer(in, out)
                    : transfers.transfer(in, Channels.newOutputStream(out));
        }
    }

    @ParameterizedTest
    @EnumSource(End.class)
    void peerThatLeavesLargeFileIsReportedExactly(End end) throws Exception {
        try (FileChannel file = large()) {
            Future<Long> peer = Threads.begin(this::readAndLeave);
            IOException e = assertThrows(IOException.class, () -> end.transfer(transfers, file, sockets.near()));
            peer.get();
            PartialTransferException partial = PartialTransferException.of(e);
            assertTrue(partial.transferred() >= READ_BY_PEER, partial.toString());
            assertEquals(file.position(), partial.transferred());
            assertEquals(0, partial.unwritten().length);
        }
    }

    /** Bytes that a file gained in the meantime do not count as moved. */
    @Test
    void fileThatGrowsUnderFailedTransferIsReportedExactly() throws Exception {
        try (FileChannel file = large();
                InputStream in = Channels.newInputStream(file.truncate(1L << 30))) {
            Future<Long> peer = Threads.begin(() -> {
                file.write(ByteBuffer.allocate(1), (1L << 30) + (100 << 20));
                return readAndLeave();
            });
            IOException e = assertThrows(
                    IOException.class, () -> transfers.transfer(in, Channels.newOutputStream(sockets.near())));
            peer.get();
            PartialTransferException partial = PartialTransferException.of(e);
            assertEquals(file.position(), partial.transferred() + partial.unwritten().length);
        }
    }

    private long readAndLeave() throws IOException {
        ByteBuffer some = ByteBuffer.allocateDirect(64 << 10);
        long read = 0;
        try (SocketChannel peer = sockets.far()) {
            for (; read < READ_BY_PEER; read += some.clear().capacity()) {
                while (some.hasRemaining()) {
                    peer.read(some);
                }
            }
        }
        return read;
    }

    /** Whose peer does not read. */
    @ParameterizedTest
    @EnumSource(End.class)
    void closeEndsTransferToSilentSocket(End end) throws Exception {
        assertCloseEnds(end, sockets.near());
    }

    @Test
    void closeEndsTransferToSilentFifo() throws Exception {
        Path fifo = folder.resolve("fifo");
        assertEquals(0, new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor());
        try (FileChannel both = FileChannel.open(fifo, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            assertCloseEnds(End.CHANNEL, both);
        }
    }

    private void assertCloseEnds(End end, WritableByteChannel sink) throws Exception {
        try (FileChannel file = large()) {
            Future<Long> moved = Threads.begin(() -> end.transfer(transfers, file, sink));
            Thread.sleep(200); // until it is blocked; if it is not yet, a close ends it all the same
            assertFalse(moved.isDone());
            sink.close();
            assertInstanceOf(ClosedChannelException.class, Failures.of(moved));
        }
    }

    @Tag("full")
    @Test
    void directMemoryIsBoundedWhateverTheSource() throws Exception {
        assertEquals(
                "moved all\n", Jvm.run(MovesMoreThanDirectMemory.class, "-XX:MaxDirectMemorySize=24m", "-Xmx512m"));
    }

    /** Moves 64 MiB from heap memory in each way that there is, in a JVM with 24 MiB of direct memory. */
    static final class MovesMoreThanDirectMemory {
        private static final int SIZE = 64 << 20;

        private final Path file;
        private final byte[] content = new byte[SIZE];

        private MovesMoreThanDirectMemory(Path file) {
            this.file = file;
        }

        public static void main(String[] args) throws IOException {
            Path file = Files.createTempFile("limits", null);
            try {
                new MovesMoreThanDirectMemory(file).run();
            } finally {
                Files.delete(file);
            }
            System.out.println("moved all");
        }

        private void run() throws IOException {
            for (String policy : new String[] {"heap", "direct-view"}) {
                try (BufferPool pool = BufferPool.builder("limits")
                        .policy(policy)
                        .max(policy.equals("heap") ? 256 << 20 : 2 << 20)
                        .build()) {
                    arrays(new Transfers(pool));
                }
            }
            try (BufferPool pool =
                    BufferPool.builder("limits").policy("heap").max(256 << 20).build()) {
                largeBuffers(pool);
            }
        }

        private void arrays(Transfers transfers) throws IOException {
            try (OutputStream out = Channels.newOutputStream(open())) {
                check(transfers.transfer(new ByteArrayInputStream(content), out));
            }
            try (OutputStream out = Files.newOutputStream(file)) {
                check(transfers.transfer(new ByteArrayInputStream(content), out, SIZE));
            }
            try (OutputStream out = new FileOutputStream(file.toFile())) {
                check(transfers.transfer(new ByteArrayInputStream(content), out));
            }
            try (FileChannel out = open()) {
                check(transfers.transfer(new ByteArrayInputStream(content), out));
            }
        }

        private void largeBuffers(BufferPool pool) throws IOException {
            Transfers transfers = new Transfers(pool, SIZE);
            try (FileChannel out = open()) {
                check(transfers.transfer(Channels.newChannel(new ByteArrayInputStream(content)), out));
            }
            try (FileChannel in = FileChannel.open(file);
                    OutputStream out = OutputStream.nullOutputStream()) {
                check(transfers.transfer(in, out));
            }
            try (FileChannel out = open();
                    BufferChain chain = new BufferChain()) {
                chain.add(pool.acquire(SIZE));
                if (!chain.writeTo(out)) {
                    throw new AssertionError("left " + chain.remaining());
                }
                check(out.size());
            }
            try (InputStream in = PooledInputStream.from(FileChannel.open(file), pool, SIZE)) {
                long read = in.read() < 0 ? 0 : 1;
                byte[] part = new byte[100_000];
                for (int n = in.read(part); n >= 0; n = in.read(part)) {
                    read += n;
                }
                check(read);
            }
            try (FileChannel out = open();
                    OutputStream stream = PooledOutputStream.to(out, pool, SIZE)) {
                stream.write(content);
                stream.flush();
                check(out.size());
            }
        }

        private FileChannel open() throws IOException {
            return FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
        }

        private static void check(long moved) {
            if (moved != SIZE) {
                throw new AssertionError("moved=" + moved);
            }
        }
    }
}
