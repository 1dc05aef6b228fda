// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.internal.memory.ArenaMemory;
import dev.buffers.support.Conservation;
import dev.buffers.support.Eventually;
import dev.buffers.support.Kind;
import dev.buffers.support.Leases;
import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The setting {@code align}: pages, as files that bypass the system's cache need them. */
class AlignTest {
    private static final int PAGE = 4096;

    static Stream<BufferPool.Builder> pools() {
        List<BufferPool.Builder> pools = new ArrayList<>();
        for (boolean guard : new boolean[] {false, true}) {
            pools.add(builder().policy("direct-view").guard(guard));
            pools.add(builder().policy("direct").guard(guard));
            pools.add(builder()
                    .policy(Kind.own(true, true, ByteBuffer::allocateDirect))
                    .guard(guard));
            pools.add(builder()
                    .policy(Kind.own(true, false, ByteBuffer::allocateDirect))
                    .guard(guard));
            if (ArenaMemory.available()) {
                pools.add(builder().free(PoolSettings.Freeing.PROMPT).guard(guard));
            }
        }
        return pools.stream();
    }

    private static BufferPool.Builder builder() {
        return BufferPool.builder("aligned").max(8 << 20).maxSize(100_000).align(PAGE);
    }

    @ParameterizedTest
    @MethodSource("pools")
    void everyBufferIsAligned(BufferPool.Builder builder) {
        try (BufferPool pool = builder.build()) {
            for (int round = 0; round < 3; round++) {
                List<PooledBuffer> leases = new ArrayList<>();
                for (int size :
                        new int[] {0, 1, 100, PAGE, PAGE, PAGE + 1, 20_000, 50_000, 100_000, 300_000, 1 << 20}) {
                    PooledBuffer lease = pool.acquire(size);
                    leases.add(lease);
                    assertAligned(lease.buffer(), size);
                    PooledBuffer further = lease.retain();
                    assertAligned(further.buffer(), size);
                    leases.add(further);
                }
                try (ChannelBuffers channel = pool.channel()) {
                    assertAligned(channel.input(), channel.input().limit());
                    assertAligned(channel.input(10_000), channel.input().limit());
                }
                leases.forEach(PooledBuffer::release);
                Conservation.check(pool);
                if (round == 1) {
                    pool.trim(); // then dropped memory is adopted
                }
            }
        }
    }

    private static void assertAligned(ByteBuffer buffer, int size) {
        assertEquals(0, buffer.alignmentOffset(0, PAGE), () -> "size=" + size);
        assertTrue(buffer.capacity() % PAGE == 0 || size > 100_000, () -> "capacity=" + buffer.capacity());
        assertEquals(size, buffer.limit());
    }

    @Test
    void channelReusesSlotOfSmallLease() {
        try (BufferPool pool = builder().build();
                ChannelBuffers channel = pool.channel()) {
            channel.acquire(100).release();
            channel.acquire(100).release();
            assertEquals(1, pool.stats().acquires(AcquireOutcome.CHANNEL));
        }
    }

    /** The whole cap serves leases, and the JVM's counter has the padding of each region in addition. */
    @Test
    void paddingIsNotCharged() {
        try (BufferPool pool = builder().max(1 << 20).build()) {
            List<PooledBuffer> leases = Leases.all(pool, PAGE);
            assertEquals((1 << 20) / PAGE, leases.size());
            assertNull(pool.tryAcquire(1));
            leases.forEach(PooledBuffer::release);
        }
    }

    /** A slice does not keep the buffer that it was made of, but the allocation: that is what the pool has to watch. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void discardedMemoryCountsWhileItsViewLives(boolean ours) {
        BufferPool.Builder builder = builder();
        try (BufferPool pool =
                (ours ? builder : builder.policy(Kind.own(true, true, ByteBuffer::allocateDirect))).build()) {
            ByteBuffer view = discarded(pool, 200_000);
            discarded(pool, 300_000);
            assertEquals(500_000, pool.stats().droppedBytes());
            Eventually.collected("the other memory is gone", () -> pool.stats().droppedBytes() < 500_000);
            assertEquals(200_000, pool.stats().droppedBytes());
            view.put(0, (byte) 1);
            Reference.reachabilityFence(view);
            view = null;
            Eventually.collected("now this is gone", () -> pool.stats().droppedBytes() == 0);
        }
    }

    private static ByteBuffer discarded(BufferPool pool, int size) {
        PooledBuffer lease = pool.acquire(size);
        ByteBuffer view = lease.buffer().slice(0, 1000);
        lease.discard();
        return view;
    }

    @Test
    void fileThatBypassesCacheIsWritten(@TempDir Path folder) throws IOException {
        int block = (int) Files.getFileStore(folder).getBlockSize();
        try {
            ByteBuffer plain = ByteBuffer.allocateDirect(2 * block).alignedSlice(block);
            write(folder.resolve("plain"), plain.limit(block));
        } catch (UnsupportedOperationException | IOException e) {
            return; // this file system, such as tmpfs, refuses such files for all
        }
        try (BufferPool pool = builder().align(block).build();
                PooledBuffer lease = pool.acquire(4 * block)) {
            write(folder.resolve("pooled"), lease.buffer());
        }
    }

    private static void write(Path file, ByteBuffer blocks) throws IOException {
        int bytes = blocks.remaining();
        try (FileChannel channel = FileChannel.open(file, bypassing())) {
            assertEquals(bytes, channel.write(blocks));
        }
        assertEquals(bytes, Files.size(file));
    }

    /** The JDK's option is not one of Java SE, and javac warns of its name. */
    private static Set<OpenOption> bypassing() {
        try {
            Object[] options =
                    Class.forName("com.sun.nio.file.ExtendedOpenOption").getEnumConstants();
            OpenOption direct = (OpenOption) Stream.of(options)
                    .filter(option -> option.toString().equals("DIRECT"))
                    .findAny()
                    .orElseThrow();
            return Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, direct);
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }
}
