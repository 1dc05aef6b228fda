// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.jetty;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.eclipse.jetty.io.ArrayByteBufferPool;
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.RetainableByteBuffer;
import org.eclipse.jetty.io.content.InputStreamContentSource;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.resource.ResourceFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What Jetty expects of a pool, shown by its own and by ours in the same tests. */
class ByteBufferPoolContractTest {
    /** Whose pool, and how ours is set. */
    enum Kind {
        JETTY,
        OURS,
        OURS_GUARDED,
        OURS_DIRECT,
        OURS_HEAP,
        OURS_HEAP_VIEW,
        OURS_UNPOOLED;

        /** {@code direct=true} is a wish that a pool on the heap cannot grant. */
        boolean grants(boolean direct) {
            return !direct || !name().contains("HEAP") && this != OURS_UNPOOLED;
        }

        void set(String key, String value) {
            System.setProperty("buffers.jetty." + key, value);
            System.setProperty("buffers.jetty-heap." + key, value);
        }

        ByteBufferPool make() {
            switch (this) {
                case JETTY:
                    return new ArrayByteBufferPool();
                case OURS_GUARDED:
                    set("guard", "on");
                    break;
                case OURS_DIRECT:
                    System.setProperty("buffers.policy", "direct");
                    break;
                case OURS_HEAP:
                    System.setProperty("buffers.policy", "heap");
                    break;
                case OURS_HEAP_VIEW:
                    System.setProperty("buffers.policy", "heap-view");
                    break;
                case OURS_UNPOOLED:
                    System.setProperty("buffers.policy", "unpooled");
                    break;
                default:
            }
            return JettyBufferPool.create();
        }
    }

    private ByteBufferPool pool = ByteBufferPool.NON_POOLING;

    @AfterEach
    void close() {
        if (pool instanceof JettyBufferPool) {
            ((JettyBufferPool) pool).close();
        }
        System.getProperties().keySet().removeIf(key -> key.toString().startsWith("buffers."));
    }

    @ParameterizedTest
    @EnumSource
    void buffersArriveEmptyInFlushMode(Kind kind) {
        pool = kind.make();
        for (boolean direct : new boolean[] {true, false}) {
            for (int size : new int[] {0, 1, 128, 1000, 4096, 4097, 8192, 16_709, 32_768, 65_536, 65_537, 1_000_000}) {
                for (int i = 0; i < 2; i++) {
                    RetainableByteBuffer buffer = pool.acquire(size, direct);
                    ByteBuffer bytes = buffer.getByteBuffer();
                    assertTrue(bytes.capacity() >= size, () -> size + ": " + bytes);
                    assertEquals(bytes.capacity(), buffer.capacity());
                    assertEquals(0, bytes.position());
                    assertEquals(0, bytes.limit());
                    assertEquals(0, buffer.remaining());
                    assertFalse(buffer.hasRemaining());
                    assertEquals(ByteOrder.BIG_ENDIAN, bytes.order());
                    assertFalse(bytes.isReadOnly());
                    assertSame(bytes, buffer.getByteBuffer());
                    assertEquals(bytes.isDirect(), buffer.isDirect());
                    if (kind.grants(direct)) {
                        assertEquals(direct, buffer.isDirect());
                    }
                    // What the next holder must not see.
                    BufferUtil.flipToFill(bytes);
                    bytes.order(ByteOrder.LITTLE_ENDIAN).mark();
                    bytes.position(bytes.limit());
                    assertTrue(buffer.release());
                }
            }
        }
    }

    /** Jetty's gzip asks for 512 bytes, or for fewer if so configured, and then fills what it got; a stream's buffer may ask for 0. */
    @ParameterizedTest
    @EnumSource
    void smallBuffersHaveTheRoomThatJettyIsUsedTo(Kind kind) {
        pool = kind.make();
        for (int size : new int[] {0, 33, 64, 128, 129, 512, 1000, 4095, 4096}) {
            RetainableByteBuffer buffer = pool.acquire(size, true);
            assertEquals(4096, buffer.capacity());
            buffer.release();
        }
    }

    @ParameterizedTest
    @EnumSource
    void heapBufferIsSeparateArray(Kind kind) {
        pool = kind.make();
        List<RetainableByteBuffer> held = new ArrayList<>();
        for (int size : new int[] {1, 100, 4096, 5000, 65_536, 100_000}) {
            for (int i = 0; i < 3; i++) {
                RetainableByteBuffer buffer = pool.acquire(size, false);
                held.add(buffer);
                ByteBuffer bytes = buffer.getByteBuffer();
                assertEquals(0, bytes.arrayOffset());
                assertEquals(bytes.capacity(), bytes.array().length);
                Arrays.fill(bytes.array(), (byte) held.size());
            }
        }
        for (int i = 0; i < held.size(); i++) {
            for (byte b : held.get(i).getByteBuffer().array()) {
                assertEquals((byte) (i + 1), b);
            }
            assertTrue(held.get(i).release());
        }
    }

    @ParameterizedTest
    @EnumSource
    void retainsAndReleasesAreCounted(Kind kind) {
        pool = kind.make();
        for (int size : new int[] {100, 100, 65_536}) {
            RetainableByteBuffer buffer = pool.acquire(size, true);
            assertTrue(buffer.canRetain());
            assertFalse(buffer.isRetained());
            buffer.retain();
            assertTrue(buffer.isRetained());
            buffer.retain();
            assertFalse(buffer.release());
            assertTrue(buffer.isRetained());
            assertFalse(buffer.release());
            assertFalse(buffer.isRetained());
            assertTrue(buffer.canRetain());
            assertTrue(buffer.release());
            assertEquals(ThisJetty.CAN_RETAIN_WHEN_RELEASED, buffer.canRetain());
            assertFalse(buffer.isRetained());
        }
    }

    @ParameterizedTest
    @EnumSource
    void oneReleaseTooManyThrowsAndOneRetainTooLate(Kind kind) {
        pool = kind.make();
        for (int size : new int[] {100, 100, 65_536}) {
            RetainableByteBuffer buffer = pool.acquire(size, true);
            buffer.release();
            for (int i = 0; i < 2; i++) {
                assertThrows(IllegalStateException.class, buffer::release);
                assertThrows(IllegalStateException.class, buffer::retain);
            }
        }
    }

    /** Jetty's own contract test asks what remains in a buffer that it has released. */
    @ParameterizedTest
    @EnumSource
    void nothingRemainsAfterTheLastRelease(Kind kind) {
        pool = kind.make();
        for (boolean direct : new boolean[] {true, false}) {
            RetainableByteBuffer buffer = pool.acquire(1000, direct);
            int capacity = buffer.capacity();
            boolean isDirect = buffer.isDirect();
            BufferUtil.append(buffer.getByteBuffer(), new byte[] {1, 2, 3});
            buffer.retain();
            buffer.release();
            assertEquals(3, buffer.remaining());
            buffer.release();
            assertEquals(0, buffer.remaining());
            assertFalse(buffer.hasRemaining());
            assertEquals(capacity, buffer.capacity());
            assertEquals(isDirect, buffer.isDirect());
        }
    }

    @ParameterizedTest
    @EnumSource
    void descriptionMatchesJettys(Kind kind) {
        pool = kind.make();
        RetainableByteBuffer buffer = pool.acquire(1000, true);
        BufferUtil.append(buffer.getByteBuffer(), new byte[] {1, 2, 3});
        buffer.retain();
        String name = ThisJetty.name(buffer);
        assertEquals(name + ThisJetty.describe(buffer.getByteBuffer(), 2), buffer.toString());
        buffer.release();
        buffer.release();
        String released = buffer.toString();
        assertTrue(released.startsWith(name + "["), released);
        assertTrue(released.contains("rc=0"), released);
    }

    @ParameterizedTest
    @EnumSource
    void oneOfManyThreadsReleasesLast(Kind kind) throws Exception {
        pool = kind.make();
        int threads = 4;
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            for (int round = 0; round < 200; round++) {
                RetainableByteBuffer buffer = pool.acquire(1000, round % 2 == 0);
                CountDownLatch start = new CountDownLatch(1);
                List<Future<Boolean>> released = new ArrayList<>();
                for (int i = 0; i < threads; i++) {
                    buffer.retain();
                    released.add(executor.submit(() -> {
                        start.await();
                        buffer.retain();
                        boolean early = buffer.release();
                        assertFalse(early);
                        return buffer.release();
                    }));
                }
                start.countDown();
                int last = buffer.release() ? 1 : 0;
                for (Future<Boolean> one : released) {
                    last += one.get() ? 1 : 0;
                }
                assertEquals(1, last);
                assertEquals(ThisJetty.CAN_RETAIN_WHEN_RELEASED, buffer.canRetain());
            }
        } finally {
            executor.shutdown();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aNegativeSizeIsRefused(Kind kind) {
        pool = kind.make();
        assertThrows(IllegalArgumentException.class, () -> pool.acquire(-1, true));
        assertThrows(IllegalArgumentException.class, () -> pool.acquire(-1, false));
    }

    @ParameterizedTest
    @EnumSource
    void clearKeepsLeasedBuffers(Kind kind) {
        pool = kind.make();
        RetainableByteBuffer out = pool.acquire(1000, true);
        BufferUtil.append(out.getByteBuffer(), new byte[] {1, 2, 3});
        pool.clear();
        assertArrayEquals(new byte[] {1, 2, 3}, BufferUtil.toArray(out.getByteBuffer()));
        assertTrue(out.release());
        assertTrue(pool.acquire(1000, true).release());
    }

    @ParameterizedTest
    @EnumSource
    void wrappersCountOnTheSameBuffer(Kind kind) {
        pool = new ByteBufferPool.Wrapper(kind.make());
        RetainableByteBuffer inner = pool.acquire(100, true);
        RetainableByteBuffer wrapper = new RetainableByteBuffer.Wrapper(inner);
        wrapper.retain();
        assertTrue(inner.isRetained());
        assertFalse(inner.release());
        assertTrue(wrapper.release());
        assertEquals(ThisJetty.CAN_RETAIN_WHEN_RELEASED, inner.canRetain());
        pool = ((ByteBufferPool.Wrapper) pool).getWrapped();
    }

    /** It reads into {@code array()} from index 0, for all of its length. */
    @ParameterizedTest
    @EnumSource
    void streamsAreReadIntoArrays(Kind kind) {
        pool = kind.make();
        byte[] expected = new byte[100_000];
        new Random(1).nextBytes(expected);
        for (boolean direct : new boolean[] {true, false}) {
            ByteBufferPool.Sized sized = new ByteBufferPool.Sized(pool, direct, 4096);
            InputStreamContentSource source = new InputStreamContentSource(new ByteArrayInputStream(expected), sized);
            ByteBuffer read = ByteBuffer.allocate(expected.length);
            for (Content.Chunk chunk = source.read(); !chunk.isLast(); chunk = source.read()) {
                read.put(chunk.getByteBuffer());
                chunk.release();
            }
            assertArrayEquals(expected, read.array());
        }
    }

    @ParameterizedTest
    @EnumSource
    void filesAreReadIntoOneBuffer(Kind kind, @TempDir Path folder) throws Exception {
        pool = kind.make();
        for (int length : new int[] {0, 1, 100_000}) {
            byte[] expected = new byte[length];
            new Random(length).nextBytes(expected);
            Path file = Files.write(folder.resolve("file" + length), expected);
            try (ResourceFactory.Closeable resources = ResourceFactory.closeable()) {
                for (boolean direct : new boolean[] {true, false}) {
                    RetainableByteBuffer buffer = ThisJetty.read(resources.newResource(file), pool, direct);
                    assertArrayEquals(expected, BufferUtil.toArray(buffer.getByteBuffer()));
                    assertTrue(buffer.release());
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void concurrentBuffersShareNoMemory(Kind kind) {
        pool = kind.make();
        Random random = new Random(7);
        List<RetainableByteBuffer> held = new ArrayList<>();
        Consumer<RetainableByteBuffer> checked = buffer -> {
            int stamp = System.identityHashCode(buffer);
            ByteBuffer bytes = buffer.getByteBuffer();
            while (bytes.remaining() >= Integer.BYTES) {
                assertEquals(stamp, bytes.getInt());
            }
            assertTrue(buffer.release());
        };
        for (int i = 0; i < 1_500; i++) {
            RetainableByteBuffer buffer = pool.acquire(random.nextInt(10_000), random.nextBoolean());
            ByteBuffer bytes = buffer.getByteBuffer();
            BufferUtil.flipToFill(bytes);
            while (bytes.remaining() >= Integer.BYTES) {
                bytes.putInt(System.identityHashCode(buffer));
            }
            BufferUtil.flipToFlush(bytes, 0);
            held.add(buffer);
            if (held.size() > 50) {
                checked.accept(held.remove(random.nextInt(held.size())));
            }
        }
        held.forEach(checked);
    }
}
