// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPolicy;
import dev.buffers.BufferPool;
import dev.buffers.PooledBuffer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.FileChannel;
import java.nio.channels.Pipe;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A channel that blocks takes everything, in however many writes; one that does not is left at the first that is incomplete. */
class BufferChainBlockingTest {
    private final BufferPool pool =
            BufferPool.builder("blocking").policy("heap-view").max(1 << 20).build();
    private final BufferChain chain = new BufferChain();

    @AfterEach
    void nothingIsOut() {
        chain.close();
        assertEquals(0, pool.stats().leases());
        pool.close();
    }

    private void add(int leases) {
        for (int i = 0; i < leases; i++) {
            chain.add(pool.acquire(100));
        }
    }

    @Test
    void blockingChannelThatWritesInPartsTakesAll() throws IOException {
        add(20);
        ShortSink sink = new ShortSink(30, Integer.MAX_VALUE);
        assertTrue(chain.writeTo(sink));
        assertEquals(2000, sink.taken);
    }

    /** Each further attempt would cost a system call. */
    @Test
    void nonBlockingChannelIsLeftAtTheFirstIncompleteWrite() throws IOException {
        add(20);
        ShortSink sink = new ShortSink(30, Integer.MAX_VALUE);
        sink.configureBlocking(false);
        assertFalse(chain.writeTo(sink));
        assertEquals(1, sink.writes);
        assertEquals(1970, chain.remaining());
    }

    @Test
    void channelThatTakesNothingEndsTheCallInEitherMode() throws IOException {
        add(1);
        ShortSink sink = new ShortSink(30, 60);
        assertFalse(chain.writeTo(sink));
        assertEquals(3, sink.writes);
        assertEquals(40, chain.remaining());
    }

    /** Linux writes less than 2 GiB in one call. */
    @Test
    void fileTakesMoreThanOneSystemCallCanWrite(@TempDir Path folder) throws IOException {
        Path nowhere = Path.of("/dev/null");
        if (!Files.exists(nowhere)) {
            return;
        }
        int size = 136 << 20;
        try (FileChannel file = FileChannel.open(nowhere, StandardOpenOption.WRITE);
                BufferPool large = BufferPool.builder("large")
                        .policy(new Sparse(folder.resolve("sparse")))
                        .max(256 << 20)
                        .build();
                PooledBuffer lease = large.acquire(size)) {
            for (int i = 0; i < 16; i++) {
                chain.add(lease.retain());
            }
            assertTrue(chain.remaining() > Integer.MAX_VALUE);
            assertTrue(chain.writeTo(file), () -> "left: " + chain.remaining());
        }
    }

    /** Each write would be one datagram: two messages in one, or one message in two. */
    @Test
    void datagramChannelIsRefused() throws IOException {
        add(1);
        try (DatagramChannel datagrams = DatagramChannel.open()) {
            IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> chain.writeTo(datagrams));
            assertTrue(e.getMessage().contains("DatagramChannel"), e::getMessage);
        }
        assertEquals(100, chain.remaining());
    }

    /** Takes so many bytes of each write, and so many in all. */
    private static final class ShortSink extends Pipe.SinkChannel {
        private final int each;
        private final int most;
        private int taken;
        private int writes;

        ShortSink(int each, int most) {
            super(SelectorProvider.provider());
            this.each = each;
            this.most = most;
        }

        @Override
        public long write(ByteBuffer[] sources, int offset, int length) {
            writes++;
            int left = Math.min(each, most - taken);
            int before = taken;
            for (int i = offset; i < offset + length; i++) {
                int n = Math.min(left, sources[i].remaining());
                sources[i].position(sources[i].position() + n);
                left -= n;
                taken += n;
            }
            return taken - before;
        }

        @Override
        public long write(ByteBuffer[] sources) {
            return write(sources, 0, sources.length);
        }

        @Override
        public int write(ByteBuffer source) {
            return (int) write(new ByteBuffer[] {source}, 0, 1);
        }

        @Override
        protected void implCloseSelectableChannel() {
            // It is never closed.
        }

        @Override
        protected void implConfigureBlocking(boolean block) {
            // Only what isBlocking says changes.
        }
    }

    /** Memory that takes none: a file with a hole. */
    private record Sparse(Path file) implements BufferPolicy {
        @Override
        public String name() {
            return "sparse";
        }

        @Override
        public boolean direct() {
            return true;
        }

        @Override
        public boolean views() {
            return false;
        }

        @Override
        public ByteBuffer allocate(int bytes) {
            try (FileChannel channel = FileChannel.open(
                    file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                return channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
