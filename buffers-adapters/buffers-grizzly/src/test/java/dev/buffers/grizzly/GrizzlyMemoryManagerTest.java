// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.grizzly;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.AcquireOutcome;
import dev.buffers.BufferPool;
import dev.buffers.Exhaustion;
import dev.buffers.PoolExhaustedException;
import dev.buffers.PoolStats;
import dev.buffers.ReleaseOutcome;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.glassfish.grizzly.Buffer;
import org.glassfish.grizzly.memory.Buffers;
import org.glassfish.grizzly.memory.HeapBuffer;
import org.glassfish.grizzly.memory.MemoryProbe;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Our part of the contract: the pool a buffer is from, the time it goes back, and intended differences from Grizzly's own managers. */
class GrizzlyMemoryManagerTest {
    @AfterEach
    void forget() {
        System.clearProperty("buffers.policy");
        System.clearProperty("buffers.grizzly-heap.max");
    }

    private static PoolStats heap(GrizzlyMemoryManager memory) {
        return memory.heapPool().stats();
    }

    @Test
    void arraysComeFromHeapTwin() {
        try (GrizzlyMemoryManager memory = new GrizzlyMemoryManager()) {
            assertEquals("grizzly", memory.pool().name());
            assertEquals("grizzly-heap", memory.heapPool().name());
            assertEquals("heap", memory.heapPool().settings().policy().name());
            Buffer written = memory.allocate(16_384);
            assertTrue(written.hasArray());
            assertEquals(0, written.arrayOffset());
            assertEquals(16_384, written.array().length);
            Buffer read = memory.allocateAtLeast(16_384);
            assertTrue(read.isDirect());
            assertEquals(1, memory.pool().stats().leases());
            assertEquals(1, heap(memory).leases());
            written.dispose();
            read.dispose();
            assertEquals(0, memory.pool().stats().leases());
            assertEquals(0, heap(memory).leases());
            assertEquals("GrizzlyMemoryManager[pool=grizzly, heapPool=grizzly-heap]", memory.toString());
        }
    }

    @Test
    void onePoolIsEnoughOnTheHeap() {
        for (String policy : List.of("heap", "heap-view", "unpooled")) {
            System.setProperty("buffers.policy", policy);
            try (GrizzlyMemoryManager memory = GrizzlyMemoryManager.create("web")) {
                assertSame(memory.pool(), memory.heapPool());
                assertEquals("web", memory.pool().name());
                assertFalse(memory.willAllocateDirect(16_384));
                memory.allocateAtLeast(16_384).dispose();
            }
        }
    }

    @Test
    void onlySizesOfSocketReadsAreDirect() {
        try (GrizzlyMemoryManager memory = new GrizzlyMemoryManager()) {
            for (int size : new int[] {0, 128, 2048, 4096, 8192, 32_769, 262_144, 1_000_000}) {
                assertFalse(memory.willAllocateDirect(size), () -> "size=" + size);
            }
            for (int size : new int[] {8193, 16_384, 32_768}) {
                assertTrue(memory.willAllocateDirect(size), () -> "size=" + size);
            }
        }
        try (BufferPool small = BufferPool.builder("small").maxSize(16_384).build();
                BufferPool heap = BufferPool.builder("heap").policy("heap").build()) {
            GrizzlyMemoryManager memory = GrizzlyMemoryManager.of(small, heap);
            assertTrue(memory.willAllocateDirect(16_384));
            assertFalse(memory.willAllocateDirect(16_385)); // would be a separate region each time
        }
    }

    @Test
    void capacityIsOfSlotAndLimitIsRequestedSize() {
        try (GrizzlyMemoryManager memory = new GrizzlyMemoryManager()) {
            Buffer exact = memory.allocate(1000);
            assertEquals(1000, exact.limit());
            assertEquals(1024, exact.capacity());
            Buffer atLeast = memory.allocateAtLeast(1000);
            assertEquals(1024, atLeast.limit());
            exact.dispose();
            atLeast.dispose();
        }
    }

    @Test
    void tryDisposeDisposesUnlessForbidden() {
        try (GrizzlyMemoryManager memory = new GrizzlyMemoryManager()) {
            Buffer buffer = memory.allocate(100);
            Buffer slice = buffer.slice();
            assertTrue(buffer.allowBufferDispose());
            assertTrue(slice.allowBufferDispose());
            assertTrue(buffer.tryDispose());
            assertTrue(slice.tryDispose());
            assertEquals(0, heap(memory).leases());
        }
    }

    @Test
    void refillableBufferOutlivesItsWrite() {
        try (GrizzlyMemoryManager memory = new GrizzlyMemoryManager()) {
            Buffer window = memory.allocate(100).put((byte) 1).putChar('2').putShort((short) 3);
            window.putInt(4).putLong(5).flip();
            assertFalse(window.release());
            Buffer part = window.slice();
            assertTrue(part.put((byte) 6).release());
            window.clear().put((byte) 7);
            window.trim();
            assertTrue(window.release());

            assertTrue(memory.allocate(100).release());
            assertTrue(memory.allocate(100).putInt(2).put(new byte[2]).flip().release());
            assertTrue(memory.allocate(100)
                    .putInt(2)
                    .put(ByteBuffer.allocate(2))
                    .flip()
                    .release());
            assertTrue(memory.allocate(100)
                    .putInt(2)
                    .put(ByteBuffer.allocate(2), 0, 1)
                    .flip()
                    .release());
            assertTrue(memory.allocate(100)
                    .putInt(2)
                    .put(memory.wrap(new byte[2]))
                    .flip()
                    .release());
            assertEquals(0, heap(memory).leases());
        }
    }

    @Test
    void trimmedBufferMovesToSlotThatFits() {
        try (GrizzlyMemoryManager memory = new GrizzlyMemoryManager()) {
            Buffer record = memory.allocateAtLeast(20_000).order(ByteOrder.LITTLE_ENDIAN);
            long before = memory.pool().stats().leasedBytes();
            record.put(new byte[] {1, 2, 3, 4}).trim();
            assertTrue(before >= 20_000);
            assertTrue(
                    memory.pool().stats().leasedBytes() <= 128,
                    () -> "" + memory.pool().stats().leasedBytes());
            assertEquals(4, record.remaining());
            assertEquals(0x04030201, record.getInt());
            record.dispose();

            Buffer large = memory.allocateAtLeast(20_000).put(new byte[10_000]);
            large.trim();
            assertEquals(before, memory.pool().stats().leasedBytes());
            Buffer empty = memory.allocateAtLeast(20_000);
            empty.position(0).trim();
            assertEquals(2 * before, memory.pool().stats().leasedBytes());
            empty.dispose();
            large.dispose();

            Buffer shared = memory.allocateAtLeast(20_000);
            Buffer part = shared.slice(0, 8);
            shared.put((byte) 7).trim();
            assertEquals(7, part.get(0)); // still the same memory
            shared.dispose();
            part.dispose();
            assertEquals(0, memory.pool().stats().leases());
            assertEquals(0, memory.pool().stats().releases(ReleaseOutcome.INVALID));
        }
    }

    @Test
    void trimmedBufferStaysAtTheCapAndInClosedPool() {
        BufferPool heap = BufferPool.builder("heap").policy("heap").max(32_768).build();
        try (heap) {
            Buffer all = GrizzlyMemoryManager.of(heap, heap).allocate(32_768).put(new byte[] {5});
            all.trim();
            assertEquals(32_768, all.capacity());
            heap.close();
            all.clear().put(new byte[] {6});
            all.trim();
            assertEquals(6, all.get());
            all.dispose();
        }
        assertEquals(0, heap.stats().leases());
    }

    @Test
    void partsKeepTheirMemoryWhateverEndsFirst() {
        try (GrizzlyMemoryManager memory = new GrizzlyMemoryManager()) {
            for (int seed = 0; seed < 200; seed++) {
                Random random = new Random(seed);
                Buffer whole = memory.allocate(1024);
                for (int i = 0; i < 1024; i++) {
                    whole.put(i, (byte) i);
                }
                List<Buffer> parts = new ArrayList<>(List.of(whole));
                for (int i = 0; i < 6; i++) {
                    Buffer of = parts.get(random.nextInt(parts.size()));
                    of.clear();
                    switch (random.nextInt(4)) {
                        case 0 -> parts.add(of.slice());
                        case 1 -> parts.add(of.duplicate());
                        case 2 -> parts.add(of.asReadOnlyBuffer());
                        default -> {
                            if (of.capacity() > 1) {
                                parts.add(of.split(1 + random.nextInt(of.capacity() - 1)));
                            }
                        }
                    }
                }
                long recycled = heap(memory).releases(ReleaseOutcome.RECYCLED);
                while (!parts.isEmpty()) {
                    Buffer part = parts.remove(random.nextInt(parts.size()));
                    part.dispose();
                    Buffer other = memory.allocate(1024); // would be the same memory if it were free
                    for (int i = 0; i < 1024; i++) {
                        other.put((byte) 0xdd);
                    }
                    for (Buffer left : parts) {
                        left.clear();
                        for (int i = 1; i < left.capacity(); i++) {
                            assertEquals((byte) (left.get(0) + i), left.get(i));
                        }
                    }
                    other.dispose();
                    recycled++;
                }
                assertEquals(0, heap(memory).leases());
                assertEquals(recycled + 1, heap(memory).releases(ReleaseOutcome.RECYCLED));
                assertEquals(0, heap(memory).releases(ReleaseOutcome.INVALID));
            }
        }
    }

    @Test
    void anyNumberOfDuplicatesMayBeDropped() {
        try (GrizzlyMemoryManager memory = new GrizzlyMemoryManager()) {
            Buffer header = memory.allocate(10); // as GZipEncoder does for every answer
            for (int i = 0; i < 100_000; i++) {
                header.duplicate().allowBufferDispose(false);
            }
            assertEquals(10, header.remaining());
            header.dispose();
        }
    }

    @Test
    void oneOfTwoThreadsDisposes() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try (GrizzlyMemoryManager memory = new GrizzlyMemoryManager()) {
            CyclicBarrier barrier = new CyclicBarrier(2);
            for (int i = 0; i < 2000; i++) {
                Buffer whole = memory.allocate(100);
                Buffer part = whole.slice();
                AtomicInteger won = new AtomicInteger();
                List<Future<?>> both = new ArrayList<>();
                for (int n = 0; n < 2; n++) {
                    both.add(threads.submit(() -> {
                        barrier.await();
                        try {
                            whole.dispose();
                            won.incrementAndGet();
                        } catch (IllegalStateException e) {
                            assertTrue(e.getMessage().contains("already been disposed"), e::getMessage);
                        }
                        return null;
                    }));
                }
                for (Future<?> one : both) {
                    one.get(300, TimeUnit.SECONDS);
                }
                assertEquals(1, won.get());
                assertEquals(1, heap(memory).leases());
                part.dispose();
            }
            assertEquals(0, heap(memory).releases(ReleaseOutcome.INVALID));
        } finally {
            threads.shutdown();
        }
    }

    @Test
    void reallocateStaysInPlaceWhileThereIsRoom() {
        try (GrizzlyMemoryManager memory = new GrizzlyMemoryManager()) {
            Buffer buffer = memory.allocate(1000);
            assertSame(buffer, memory.reallocate(buffer, 1024));
            assertEquals(1024, buffer.limit());
            buffer.order(ByteOrder.LITTLE_ENDIAN)
                    .put(new byte[1023])
                    .put((byte) 42)
                    .position(7);
            Buffer larger = memory.reallocate(buffer, 1025);
            assertNotSame(buffer, larger);
            assertEquals(7, larger.position());
            assertEquals(42, larger.get(1023)); // also the bytes after the position
            assertEquals(ByteOrder.LITTLE_ENDIAN, larger.order());
            assertThrows(IllegalStateException.class, buffer::limit);
            larger.dispose();
            assertEquals(0, heap(memory).leases());
        }
    }

    @Test
    void reallocateTakesOthersBuffers() {
        try (GrizzlyMemoryManager memory = new GrizzlyMemoryManager()) {
            Buffer composite = Buffers.appendBuffers(
                    memory, memory.allocate(3).put(new byte[] {1, 2, 3}).flip(), memory.wrap(new byte[] {4}), true);
            Buffer[] all = {HeapBuffer.wrap(new byte[] {1, 2, 3, 4}), composite, memory.wrap(new byte[] {1, 2, 3, 4})};
            for (Buffer other : all) {
                Buffer larger = memory.reallocate(other.position(2), 5000);
                assertEquals(2, larger.position());
                assertEquals(5000, larger.limit());
                assertEquals(0x01020304, larger.getInt(0));
                larger.dispose();
            }
            Buffer grown = memory.reallocate(Buffers.EMPTY_BUFFER, 100);
            assertEquals(100, grown.remaining());
            grown.dispose();
            assertEquals(0, heap(memory).leases());
        }
    }

    @Test
    void refusedAtTheCap() {
        try (BufferPool heap =
                BufferPool.builder("heap").policy("heap").max(8192).build()) {
            GrizzlyMemoryManager memory = GrizzlyMemoryManager.of(heap, heap);
            Buffer all = memory.allocate(4096).put(new byte[4096]);
            Buffer rest = memory.allocate(4096);
            assertThrows(PoolExhaustedException.class, () -> memory.allocate(4096));
            assertThrows(PoolExhaustedException.class, () -> memory.reallocate(all, 5000));
            assertEquals(4096, all.position()); // as it was
            rest.dispose();
            memory.allocate(4096).dispose();
            all.dispose();
            assertEquals(0, heap.stats().leases());
        }
        try (BufferPool heap = BufferPool.builder("heap")
                .policy("heap")
                .max(8192)
                .atLimit(Exhaustion.unpooled())
                .build()) {
            GrizzlyMemoryManager memory = GrizzlyMemoryManager.of(heap, heap);
            Buffer huge = memory.allocate(1_000_000);
            assertEquals(1_000_000, huge.remaining());
            huge.dispose();
            assertEquals(1, heap.stats().acquires(AcquireOutcome.UNPOOLED));
        }
    }

    /** Grizzly releases none of them. */
    @Test
    void bareByteBuffersAreNoLeases() {
        try (GrizzlyMemoryManager memory = new GrizzlyMemoryManager()) {
            for (ByteBuffer bare :
                    List.of(memory.allocateByteBuffer(16_384), memory.allocateByteBufferAtLeast(16_384))) {
                assertTrue(bare.hasArray());
                assertEquals(16_384, bare.remaining());
            }
            assertEquals(0, memory.pool().stats().leases());
            assertEquals(0, heap(memory).leases());
        }
    }

    @Test
    void probesAreNotified() {
        List<String> heard = new ArrayList<>();
        MemoryProbe probe = new MemoryProbe() {
            @Override
            public void onBufferAllocateEvent(int size) {
                heard.add("new " + size);
            }

            @Override
            public void onBufferAllocateFromPoolEvent(int size) {
                heard.add("pooled " + size);
            }

            @Override
            public void onBufferReleaseToPoolEvent(int size) {
                heard.add("back " + size);
            }
        };
        try (GrizzlyMemoryManager memory = new GrizzlyMemoryManager()) {
            memory.getMonitoringConfig().addProbes(probe);
            Buffer buffer = memory.allocate(1000);
            Buffer slice = buffer.slice();
            buffer.dispose();
            slice.dispose();
            memory.allocateAtLeast(16_384).dispose();
            memory.allocate(1_000_000).dispose(); // more than the largest class: never used again
            assertEquals(List.of("pooled 1000", "back 1024", "pooled 16384", "back 16384", "new 1000000"), heard);
            memory.getMonitoringConfig().removeProbes(probe);
            memory.allocate(1000).dispose();
            assertEquals(5, heard.size());
        }
    }

    @Test
    void callersPoolsStayOpen() {
        try (BufferPool direct = BufferPool.builder("direct").build();
                BufferPool heap = BufferPool.builder("heap").policy("heap").build()) {
            GrizzlyMemoryManager memory = GrizzlyMemoryManager.of(direct, heap);
            assertSame(direct, memory.pool());
            assertSame(heap, memory.heapPool());
            memory.close();
            memory.allocate(100).dispose();
            assertSame(heap, GrizzlyMemoryManager.of(heap, heap).heapPool());
        }
    }

    @Test
    void closeClosesOwnPools() {
        GrizzlyMemoryManager memory = new GrizzlyMemoryManager();
        Buffer buffer = memory.allocate(100);
        memory.close();
        memory.close();
        assertThrows(IllegalStateException.class, () -> memory.allocate(100));
        buffer.put((byte) 1).dispose();
        assertEquals(0, heap(memory).leases());
    }

    @Test
    void errorNamesUnacceptableValue() {
        try (BufferPool direct = BufferPool.builder("direct").policy("direct").build()) {
            IllegalArgumentException twin =
                    assertThrows(IllegalArgumentException.class, () -> GrizzlyMemoryManager.of(direct, direct));
            assertTrue(twin.getMessage().contains("heap=direct, policy=direct"), twin::getMessage);
        }
        try (GrizzlyMemoryManager memory = new GrizzlyMemoryManager()) {
            assertThrows(IllegalArgumentException.class, () -> memory.allocate(-1));
            assertThrows(IllegalArgumentException.class, () -> memory.allocateAtLeast(-1));
        }
        System.setProperty("buffers.grizzly-heap.max", "many");
        assertThrows(IllegalArgumentException.class, GrizzlyMemoryManager::new);
        System.clearProperty("buffers.grizzly-heap.max");
        try (GrizzlyMemoryManager next = new GrizzlyMemoryManager()) {
            assertEquals("grizzly", next.pool().name()); // the failure has left no pool behind
            assertEquals(Exhaustion.unpooled(), next.pool().settings().atLimit());
            assertEquals(Exhaustion.unpooled(), next.heapPool().settings().atLimit());
        }
    }
}
