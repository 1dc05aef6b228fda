// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.support.PoolKind;
import dev.buffers.support.Threads;
import dev.buffers.support.channels.Plan;
import dev.buffers.support.channels.PlannedSink;
import dev.buffers.support.channels.Sockets;
import java.io.ByteArrayOutputStream;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.Future;
import java.util.function.IntSupplier;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files: the kernel moves the bytes where it can, and a file's position advances only by the bytes written. */
class TransfersFileTest {
    private static final int SIZE = 300_000;

    @TempDir
    Path folder;

    private final byte[] content = new byte[SIZE];
    private final BufferPool pool = PoolKind.of("direct-view").builder().build();
    private final Transfers transfers = new Transfers(pool, 4096);
    private Path file;
    private Path copy;

    @BeforeEach
    void write() throws IOException {
        new Random(3).nextBytes(content);
        file = Files.write(folder.resolve("file"), content);
        copy = Files.write(folder.resolve("copy"), new byte[0]);
    }

    @AfterEach
    void nothingIsOut() {
        PoolKind.assertNothingOut(pool);
        pool.close();
    }

    private FileChannel open(Path path) throws IOException {
        return FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    private void assertCopied(int from, int to) throws IOException {
        assertArrayEquals(Arrays.copyOfRange(content, from, to), Files.readAllBytes(copy));
    }

    private void assertLeases(long n) {
        assertEquals(n, TransfersContractTest.acquires(pool), "leases taken");
    }

    @Test
    void fileToFileTakesNoLease() throws IOException {
        try (FileChannel in = open(file);
                FileChannel out = open(copy)) {
            in.position(1000);
            assertEquals(2000, transfers.transfer(in, out, 2000));
            assertEquals(3000, in.position());
            assertEquals(2000, out.position());
            assertEquals(SIZE - 3000, transfers.transfer(in, out));
            assertEquals(SIZE, in.position());
            assertEquals(0, transfers.transfer(in, out));
            in.position(SIZE + 10);
            assertEquals(0, transfers.transfer(in, out));
            assertEquals(SIZE + 10, in.position());
        }
        assertCopied(1000, SIZE);
        assertLeases(0);
    }

    /** With heap memory the loop would take a lease. */
    @Test
    void fileStreamsAreTheirChannels() throws IOException {
        try (BufferPool heap = PoolKind.of("heap").builder().build();
                InputStream in = new FileInputStream(file.toFile());
                OutputStream out = new FileOutputStream(copy.toFile())) {
            Transfers its = new Transfers(heap);
            assertEquals(content[0], (byte) in.read());
            assertEquals(100, its.transfer(in, out, 100));
            assertEquals(content[101], (byte) in.read());
            try (FileChannel to = open(folder.resolve("copy"))) {
                assertEquals(10, its.transfer(in, to.position(100), 10));
            }
            assertEquals(content[112], (byte) in.read());
            try (FileChannel from = open(file)) {
                out.write(content, 0, 10);
                assertEquals(50, its.transfer(from.position(200), out, 50));
                assertEquals(250, from.position());
            }
            assertEquals(SIZE - 113, its.transfer(in, out));
            assertEquals(0, TransfersContractTest.acquires(heap));
        }
        byte[] copied = Files.readAllBytes(copy);
        assertArrayEquals(Arrays.copyOfRange(content, 1, 101), Arrays.copyOf(copied, 100));
        assertArrayEquals(Arrays.copyOfRange(content, 200, 250), Arrays.copyOfRange(copied, 110, 160));
        assertArrayEquals(Arrays.copyOfRange(content, 113, SIZE), Arrays.copyOfRange(copied, 160, copied.length));
    }

    @Test
    void streamsOfFiles() throws IOException {
        try (BufferPool heap = PoolKind.of("heap").builder().build();
                InputStream in = Files.newInputStream(file);
                OutputStream out = Files.newOutputStream(copy)) {
            Transfers its = new Transfers(heap);
            assertEquals(10, its.transfer(in, out, 10));
            assertEquals(SIZE - 10, its.transfer(in, out));
            assertEquals(-1, in.read());
            assertEquals(2, TransfersContractTest.acquires(heap));
        }
        assertCopied(0, SIZE);
        try (FileChannel in = open(file);
                OutputStream out = Files.newOutputStream(copy)) {
            assertEquals(SIZE - 5, transfers.transfer(in.position(5), out));
            assertEquals(SIZE, in.position());
        }
        assertCopied(5, SIZE);
        try (InputStream in = new FileInputStream(file.toFile());
                OutputStream out = Files.newOutputStream(copy)) {
            assertEquals(SIZE, transfers.transfer(in, out));
        }
        assertCopied(0, SIZE);
        assertLeases(Runtime.version().feature() >= 18 ? 0 : 1); // a channel to a stream whose channel is not known
    }

    /** The sink fails; the JDK moves the bytes, or we. */
    @Test
    void aFileStreamWhoseSinkFailsIsSetBack() throws IOException {
        try (FileInputStream in = new FileInputStream(file.toFile())) {
            PlannedSink sink = new PlannedSink(new Plan(new Random(1)).failsAt(100_000));
            Throwable e = assertThrows(Throwable.class, () -> transfers.transfer((InputStream) in, sink.stream()));
            assertSame(sink.plan.thrown, e);
            PartialTransferException partial = PartialTransferException.of(e);
            assertEquals(0, partial.unwritten().length);
            assertEquals(100_000 / 4096 * 4096, partial.transferred());
            assertEquals(partial.transferred(), in.getChannel().position());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 70_000})
    void fileToFailingForeignSinkKeepsItsProgress(int failAt) throws IOException {
        PlannedSink sink =
                new PlannedSink(new Plan(new Random(1)).failsAt(failAt).most(10_000));
        try (FileChannel in = open(file)) {
            in.position(77);
            Throwable e = assertThrows(Throwable.class, () -> transfers.transfer(in, sink));
            assertSame(sink.plan.thrown, e);
            PartialTransferException partial = PartialTransferException.of(e);
            assertEquals(failAt, partial.transferred());
            assertEquals(0, partial.unwritten().length);
            assertEquals(77 + failAt, in.position());
            assertEquals(SIZE - 77 - failAt, transfers.transfer(in, sink));
        }
        assertArrayEquals(Arrays.copyOfRange(content, 77, SIZE), sink.taken.toByteArray());
    }

    @Test
    void fileToSocketAndBack() throws Exception {
        try (Sockets<SocketChannel> sockets = Sockets.connect();
                FileChannel in = open(file);
                FileChannel out = open(copy)) {
            SocketChannel client = sockets.near();
            Future<Long> received = Threads.begin(() -> transfers.transfer(sockets.far(), out));
            client.configureBlocking(false);
            assertThrows(IllegalBlockingModeException.class, () -> transfers.transfer(in, client));
            assertEquals(0, in.position());
            client.configureBlocking(true);
            assertEquals(1000, transfers.transfer(in, client, 1000));
            assertEquals(1000, in.position());
            try (OutputStream stream = Channels.newOutputStream(client)) {
                assertEquals(SIZE - 1000, transfers.transfer(in, stream));
                assertEquals(SIZE, in.position());
            }
            assertEquals(SIZE, received.get());
        }
        assertCopied(0, SIZE);
    }

    /** They say that their size is 0. */
    @Test
    void aFileWithoutASize() throws IOException {
        Path proc = Path.of("/proc/self/limits");
        if (!Files.exists(proc)) {
            return;
        }
        byte[] expected = Files.readAllBytes(proc);
        assertTrue(expected.length > 100);
        try (FileChannel in = FileChannel.open(proc);
                FileChannel out = open(copy)) {
            assertEquals(expected.length, transfers.transfer(in, out));
        }
        assertArrayEquals(expected, Files.readAllBytes(copy));
        try (InputStream in = new FileInputStream(proc.toFile());
                OutputStream out = new FileOutputStream(copy.toFile())) {
            assertEquals(expected.length, transfers.transfer(in, out));
        }
        assertArrayEquals(expected, Files.readAllBytes(copy));
        for (InputStream from : new InputStream[] {Files.newInputStream(proc), new FileInputStream(proc.toFile())}) {
            try (InputStream in = from;
                    OutputStream out = Files.newOutputStream(copy)) {
                assertEquals(expected.length, transfers.transfer(in, out));
            }
            assertArrayEquals(expected, Files.readAllBytes(copy));
        }
    }

    @Test
    void aFileThatIsAPipeHasNoPosition() throws Exception {
        Path fifo = folder.resolve("fifo");
        assertEquals(0, new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor());
        Future<Void> writer = Threads.begin(() -> {
            try (OutputStream out = new FileOutputStream(fifo.toFile())) {
                out.write(content, 0, 50_000);
            }
            return null;
        });
        try (InputStream in = new FileInputStream(fifo.toFile());
                OutputStream out = new FileOutputStream(copy.toFile())) {
            assertEquals(50_000, transfers.transfer(in, out));
        }
        writer.get();
        assertCopied(0, 50_000);
    }

    @Test
    void appendedTo() throws IOException {
        Files.write(copy, new byte[] {1, 2, 3});
        try (FileChannel in = open(file);
                FileChannel out = FileChannel.open(copy, StandardOpenOption.APPEND)) {
            assertEquals(SIZE, transfers.transfer(in, out));
        }
        byte[] copied = Files.readAllBytes(copy);
        assertEquals(3 + SIZE, copied.length);
        assertArrayEquals(content, Arrays.copyOfRange(copied, 3, copied.length));
    }

    @Test
    void intoItselfIsRefused() throws IOException {
        try (FileChannel both = open(file)) {
            assertThrows(IllegalArgumentException.class, () -> transfers.transfer(both, both));
            assertEquals(0, both.position());
        }
        assertEquals(SIZE, Files.size(file));
    }

    @Test
    void closedAndInterrupted() throws IOException {
        FileChannel in = open(file);
        try (FileChannel out = open(copy)) {
            Thread.currentThread().interrupt();
            assertThrows(ClosedByInterruptException.class, () -> transfers.transfer(in, out));
            assertTrue(Thread.interrupted());
            assertThrows(ClosedChannelException.class, () -> transfers.transfer(in, out));
            assertThrows(ClosedChannelException.class, () -> transfers.transfer(in, new ByteArrayOutputStream()));
        }
    }

    @Test
    void shortTransfersAreGoneOnWith() throws IOException {
        for (long seed = 0; seed < 20; seed++) {
            Random random = new Random(seed);
            Files.write(copy, new byte[0]);
            try (OddFileChannel in = new OddFileChannel(open(file));
                    FileChannel out = open(copy)) {
                in.atMost = () -> random.nextInt(20) == 0 ? 0 : 1 + random.nextInt(50_000);
                int max = random.nextInt(SIZE + 10);
                assertEquals(Math.min(max, SIZE), transfers.transfer(in, out, max), "seed=" + seed);
                assertEquals(Math.min(max, SIZE), in.position(), "seed=" + seed);
                assertCopied(0, Math.min(max, SIZE));
            }
        }
    }

    /** The JDK would swallow the failure and write again what the failed write had taken. */
    @Test
    void transferContinuesAfterFailedWriteOfForeignTarget() throws IOException {
        try (FileChannel in = open(file);
                OddFileChannel out = new OddFileChannel(open(copy))) {
            out.failWriteAt = 100_000;
            IOException e = assertThrows(IOException.class, () -> transfers.transfer(in, out));
            assertEquals(100_000, PartialTransferException.of(e).transferred());
            assertEquals(SIZE - 100_000, transfers.transfer(in, out));
        }
        assertCopied(0, SIZE);
    }

    @Test
    void aFileChannelWithoutTransferTo() throws IOException {
        try (OddFileChannel in = new OddFileChannel(open(file));
                FileChannel out = open(copy)) {
            in.atMost = () -> {
                throw new UnsupportedOperationException();
            };
            assertEquals(SIZE, transfers.transfer(in, out));
        }
        assertCopied(0, SIZE);
        assertLeases(1);
    }

    @Test
    void failedTransferToAdvancesByBytesWritten() throws IOException {
        try (OddFileChannel in = new OddFileChannel(open(file));
                FileChannel out = open(copy)) {
            int[] calls = {0};
            in.atMost = () -> {
                if (++calls[0] == 4) {
                    throw new IllegalStateException("planned");
                }
                return 1000;
            };
            IllegalStateException e = assertThrows(IllegalStateException.class, () -> transfers.transfer(in, out));
            assertEquals(3000, PartialTransferException.of(e).transferred());
            assertEquals(0, PartialTransferException.of(e).unwritten().length);
            assertEquals(3000, in.position());
            assertEquals(SIZE - 3000, transfers.transfer(in, out));
        }
        assertCopied(0, SIZE);
    }

    @Test
    void aFileThatGrowsIsMovedToItsNewEnd() throws IOException {
        assertWhile(10, position -> write(SIZE, content), SIZE * 2);
        byte[] copied = Files.readAllBytes(copy);
        assertArrayEquals(content, Arrays.copyOf(copied, SIZE));
        assertArrayEquals(content, Arrays.copyOfRange(copied, SIZE, 2 * SIZE));
    }

    @Test
    void aFileThatShrinksEndsEarlier() throws IOException {
        assertWhile(10, position -> truncate(50_000), 50_000);
        assertCopied(0, 50_000);
        write();
        assertWhile(10, position -> truncate(5), 10_000);
        assertCopied(0, 10_000);
        write();
        assertWhile(10, position -> truncate(0), 10_000);
        assertCopied(0, 10_000);
    }

    /** Moves 1,000 bytes at a time, and does something to the file after so many times. */
    private void assertWhile(int times, LongConsumer happens, long expected) throws IOException {
        try (OddFileChannel in = new OddFileChannel(open(file));
                FileChannel out = open(copy)) {
            int[] calls = {0};
            in.atMost = () -> {
                if (calls[0]++ == times) {
                    happens.accept(calls[0]);
                }
                return 1000;
            };
            assertEquals(expected, transfers.transfer(in, out));
        }
    }

    private void write(long position, byte[] bytes) {
        try (FileChannel channel = open(file)) {
            channel.write(ByteBuffer.wrap(bytes), position);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private void truncate(long size) {
        try (FileChannel channel = open(file)) {
            channel.truncate(size);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** A sparse file, whose bytes are never touched: by a transferTo that only counts, then through a buffer. */
    @Test
    void moreThanTwoGibibytes() throws IOException {
        long large = 5L << 30;
        write(large - 1, new byte[1]);
        try (OddFileChannel in = new OddFileChannel(open(file));
                FileChannel out = open(copy)) {
            in.pretend = true;
            assertEquals(large, transfers.transfer(in, out));
            assertEquals(large, in.position());
            in.position(7);
            assertEquals((3L << 30) + 1, transfers.transfer(in, out, (3L << 30) + 1));
            assertEquals((3L << 30) + 8, in.position());
        }
        try (OddFileChannel in = new OddFileChannel(open(file));
                OddFileChannel out = new OddFileChannel(open(copy))) {
            in.pretend = true;
            out.pretend = true;
            assertEquals(4L << 30, new Transfers(pool, 1 << 20).transfer(in, out, 4L << 30));
            assertEquals(4L << 30, out.position());
            assertEquals(1L << 30, new Transfers(pool, 1 << 20).transfer(in, out));
            assertEquals(large, out.position());
        }
    }

    /** A user's file channel, which moves less than it is asked for, or only its position, or fails in a write. */
    private static final class OddFileChannel extends FileChannel {
        private final FileChannel real;
        private IntSupplier atMost = () -> Integer.MAX_VALUE;
        private boolean pretend;

        /** Bytes that writes take before one of them fails, once, in its middle. */
        private int failWriteAt = -1;

        OddFileChannel(FileChannel real) {
            this.real = real;
        }

        @Override
        public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
            long n = Math.min(count, atMost.getAsInt());
            return pretend ? Math.min(n, size() - position) : real.transferTo(position, n, target);
        }

        private int pretend(ByteBuffer buffer, long most) throws IOException {
            int n = (int) Math.min(buffer.remaining(), most);
            buffer.position(buffer.position() + n);
            position(position() + n);
            return n;
        }

        @Override
        public int read(ByteBuffer into) throws IOException {
            if (!pretend) {
                return real.read(into);
            }
            long left = size() - position();
            return left > 0 ? pretend(into, left) : -1;
        }

        @Override
        public int read(ByteBuffer into, long position) throws IOException {
            return real.read(into, position);
        }

        @Override
        public long position() throws IOException {
            return real.position();
        }

        @Override
        public FileChannel position(long position) throws IOException {
            real.position(position);
            return this;
        }

        @Override
        public long size() throws IOException {
            return real.size();
        }

        @Override
        protected void implCloseChannel() throws IOException {
            real.close();
        }

        @Override
        public long transferFrom(ReadableByteChannel from, long position, long count) {
            throw new AssertionError("a source");
        }

        @Override
        public long read(ByteBuffer[] into, int offset, int length) {
            throw new AssertionError("one buffer");
        }

        @Override
        public int write(ByteBuffer from) throws IOException {
            int n = from.remaining();
            if (pretend) {
                return pretend(from, n);
            }
            if (failWriteAt < 0 || position() + n <= failWriteAt) {
                return real.write(from);
            }
            from.limit(from.position() + (int) (failWriteAt - position()));
            real.write(from);
            failWriteAt = -1;
            throw new IOException("planned");
        }

        @Override
        public int write(ByteBuffer from, long position) {
            throw new AssertionError("a source");
        }

        @Override
        public long write(ByteBuffer[] from, int offset, int length) {
            throw new AssertionError("a source");
        }

        @Override
        public FileChannel truncate(long size) {
            throw new AssertionError("a source");
        }

        @Override
        public void force(boolean metadata) {
            throw new AssertionError("a source");
        }

        @Override
        public MappedByteBuffer map(MapMode mode, long position, long size) {
            throw new AssertionError("not mapped");
        }

        @Override
        public FileLock lock(long position, long size, boolean shared) {
            throw new AssertionError("not locked");
        }

        @Override
        public FileLock tryLock(long position, long size, boolean shared) {
            throw new AssertionError("not locked");
        }
    }
}
