// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.support.Conservation;
import dev.buffers.support.Eventually;
import dev.buffers.support.Logged;
import dev.buffers.support.PoolContract;
import dev.buffers.support.Threads;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Size listeners are notified of every counted acquire once, whatever its outcome. */
@ParameterizedClass
@MethodSource("dev.buffers.support.Kind#chosen")
class SizeListenerContractTest extends PoolContract {
    private final List<Integer> told = new ArrayList<>();
    private final IntConsumer listener = told::add;

    private BufferPool told(BufferPool.Builder builder) {
        BufferPool pool = pool(builder);
        pool.addSizeListener(listener);
        return pool;
    }

    private static long acquires(BufferPool pool) {
        PoolStats stats = pool.stats();
        return Arrays.stream(AcquireOutcome.values()).mapToLong(stats::acquires).sum();
    }

    @Test
    void everyKindOfAcquireIsReported() {
        BufferPool pool = told(kind.builder("told"));
        try (ChannelBuffers channel = pool.channel()) {
            try (PooledBuffer lease = pool.acquire(1000);
                    PooledBuffer part = lease.slice(10, 20);
                    PooledBuffer further = lease.retain()) {
                assertTrue(part.isOpen() && further.isOpen(), "they are no acquires");
            }
            pool.acquire(1001).release(); // a hit
            pool.acquire(0).release();
            pool.tryAcquire(1002).release();
            pool.acquire(1003, Duration.ofSeconds(1)).release();
            pool.acquire(MAX_SIZE + 1).release();
            channel.acquire(1004).release();
            channel.acquire(1005).release(); // a buffer that came back to the channel
        }
        assertEquals(List.of(1000, 1001, 0, 1002, 1003, MAX_SIZE + 1, 1004, 1005), told);
        assertEquals(told.size(), acquires(pool));
    }

    @Test
    void inputOfChannelIsReported() {
        BufferPool pool = told(kind.builder("told"));
        try (ChannelBuffers channel = pool.channel()) {
            ByteBuffer input = channel.input();
            assertEquals(List.of(8192), told);
            channel.input().put((byte) 1);
            channel.input(input.capacity() + 1);
        }
        assertEquals(2, told.size());
        assertTrue(told.get(1) > 8192, told::toString);
        assertEquals(2, acquires(pool));
    }

    @Test
    void refusalsAreReported() {
        BufferPool pool = told(kind.builder("told").max(1 << 20));
        PooledBuffer all = pool.acquire(1 << 20);
        assertNull(pool.tryAcquire(1));
        assertThrows(PoolExhaustedException.class, () -> pool.acquire(2));
        assertThrows(PoolExhaustedException.class, () -> pool.acquire(3, Duration.ZERO));
        assertThrows(PoolExhaustedException.class, () -> pool.acquire(4, Duration.ofMillis(1)));
        assertThrows(PoolExhaustedException.class, () -> pool.acquire(1 << 21));
        try (ChannelBuffers channel = pool.channel()) {
            assertThrows(PoolExhaustedException.class, () -> channel.acquire(5));
        }
        assertEquals(List.of(1 << 20, 1, 2, 3, 4, 1 << 21, 5), told);
        assertEquals(told.size(), acquires(pool));
        all.release();
    }

    @Test
    void callsThatCountNoAcquireAreNotReported() {
        BufferPool pool = told(kind.builder("told"));
        assertThrows(IllegalArgumentException.class, () -> pool.acquire(-1));
        pool.whenAvailable(1000, () -> {});
        pool.close();
        assertThrows(IllegalStateException.class, () -> pool.acquire(1000));
        assertEquals(List.of(), told);
    }

    @Test
    void memoryBeyondTheCapIsReported() {
        BufferPool pool = told(kind.builder("told").max(1 << 20).atLimit(Exhaustion.unpooled()));
        PooledBuffer all = pool.acquire(1 << 20);
        pool.acquire(1000).release();
        assertEquals(List.of(1 << 20, 1000), told);
        all.release();
    }

    /** Whatever else is done for a lease. */
    @Test
    void specialLeasesAreReportedOnce() {
        for (BufferPool.Builder builder : List.of(
                kind.builder("zeroed").zero(PoolSettings.Zeroing.ACQUIRE),
                kind.builder("traced").leaks(LeakTracking.all()),
                kind.builder("guarded").guard(true))) {
            BufferPool pool = told(builder);
            pool.acquire(1000).release();
            pool.acquire(1001).release();
            assertEquals(List.of(1000, 1001), told);
            pool.removeSizeListener(listener);
            pool.acquire(1002).release();
            assertEquals(2, told.size());
            told.clear();
        }
    }

    @Test
    void listenerThatRemovesItselfMayNotCallThePool() {
        BufferPool pool = pool();
        AtomicInteger refused = new AtomicInteger();
        AtomicReference<IntConsumer> once = new AtomicReference<>();
        once.set(size -> {
            pool.removeSizeListener(once.get());
            assertThrows(IllegalStateException.class, () -> pool.acquire(10));
            refused.incrementAndGet();
        });
        pool.acquire(10).release(); // so that the next one could be a hit
        pool.addSizeListener(once.get());
        pool.acquire(1000).release();
        assertEquals(1, refused.get());
        pool.acquire(10).release();
    }

    @Test
    void listenersComeAndGo() {
        BufferPool pool = pool();
        List<Integer> other = new ArrayList<>();
        IntConsumer second = other::add;
        pool.acquire(1).release();
        pool.addSizeListener(listener);
        pool.acquire(2).release();
        pool.addSizeListener(second);
        pool.addSizeListener(second);
        pool.acquire(3).release();
        pool.removeSizeListener(second);
        pool.removeSizeListener(listener);
        pool.removeSizeListener(listener);
        pool.acquire(4).release();
        pool.removeSizeListener(second);
        pool.acquire(5).release();
        assertEquals(List.of(2, 3), told);
        assertEquals(List.of(3, 3, 4), other);
        assertThrows(NullPointerException.class, () -> pool.addSizeListener(null));
        assertThrows(NullPointerException.class, () -> pool.removeSizeListener(null));
        pool.close();
        pool.addSizeListener(listener);
        pool.removeSizeListener(listener);
    }

    @Test
    void throwingListenerIsLoggedAndOthersAreStillNotified() {
        try (Logged log = new Logged("told")) {
            BufferPool pool = pool(kind.builder("told").max(1 << 20));
            pool.addSizeListener(size -> {
                throw new UnsupportedOperationException("from the listener");
            });
            pool.addSizeListener(size -> {
                throw new OutOfMemoryError("from the listener");
            });
            pool.addSizeListener(listener);
            PooledBuffer lease = pool.acquire(1000);
            assertEquals(1000, lease.buffer().limit());
            Conservation.check(pool, 1);
            assertNull(pool.tryAcquire(1 << 20));
            lease.release();
            assertEquals(List.of(1000, 1 << 20), told);
            assertEquals(2, log.lines("a size listener has thrown").size(), "each of them is told of once");
        }
    }

    @Test
    void repeatedThrowsOfListenerAreLoggedOnceAndCounted() throws Exception {
        try (Logged log = new Logged("told")) {
            BufferPool pool = pool(kind.builder("told"));
            IntConsumer throwing = size -> {
                throw new UnsupportedOperationException("from the listener");
            };
            pool.addSizeListener(throwing);
            Threads.Action acquires = () -> {
                for (int i = 0; i < 1000; i++) {
                    pool.acquire(1000).release();
                }
            };
            Threads.together(List.of(acquires, acquires, acquires));
            List<String> lines = log.lines("a size listener has thrown");
            assertTrue(
                    lines.size() == 1 || lines.stream().skip(1).allMatch(line -> line.contains(" more")),
                    lines::toString);
            assertTrue(lines.size() < 10, lines::toString); // one, and another for each minute that this takes
            assertTrue(lines.get(0).startsWith("a size listener has thrown: pool=" + pool.name()), lines::toString);
            // A pool of an earlier test with this name may log in between.
            assertTrue(
                    log.records().stream()
                            .filter(line -> line.getMessage().startsWith("a size listener has thrown"))
                            .allMatch(line -> line.getThrown() instanceof UnsupportedOperationException),
                    lines::toString);
        }
    }

    /** A wake-up may use the pool, and a thread in a listener may not. */
    @Test
    void wakeUpThatListenerMakesDueIsCalledByAnotherThread() {
        BufferPool pool = pool(kind.builder("told").max(MAX_SIZE));
        PooledBuffer[] held = {pool.acquire(MAX_SIZE)};
        AtomicReference<Object> outcome = new AtomicReference<>();
        pool.whenAvailable(MAX_SIZE, () -> {
            try (PooledBuffer got = pool.tryAcquire(MAX_SIZE)) {
                outcome.set(got == null ? "refused" : "acquired");
            } catch (RuntimeException e) {
                outcome.set(e);
            }
        });
        IntConsumer releasing = size -> {
            PooledBuffer lease = held[0];
            held[0] = null;
            if (lease != null) {
                lease.release();
            }
        };
        pool.addSizeListener(releasing);
        PooledBuffer other = pool.tryAcquire(MAX_SIZE);
        pool.removeSizeListener(releasing);
        if (other != null) {
            other.release();
        }
        Eventually.holds("the wake-up is called", () -> outcome.get() != null);
        assertEquals("acquired", outcome.get());
    }

    /** I10: the listener gets the exception that a policy gets, and throws it on. */
    @Test
    void listenerCallingItsPoolIsRefused() {
        BufferPool pool = pool(kind.builder("told"));
        ChannelBuffers channel = pool.channel();
        pool.acquire(1000).release();
        List<Runnable> calls = List.of(
                () -> pool.acquire(1000),
                () -> pool.acquire(MAX_SIZE + 1),
                () -> pool.tryAcquire(1000),
                () -> pool.acquire(1000, Duration.ofMinutes(10)),
                () -> channel.acquire(1000),
                () -> pool.whenAvailable(1000, () -> {}),
                pool::channel,
                pool::trim,
                pool::close);
        for (Runnable call : calls) {
            AtomicInteger begun = new AtomicInteger();
            List<String> ended = new ArrayList<>();
            IntConsumer calling = size -> {
                begun.incrementAndGet();
                try {
                    call.run();
                } catch (IllegalStateException e) {
                    ended.add(e.getMessage());
                    throw e;
                }
            };
            try (Logged log = new Logged("told")) {
                pool.addSizeListener(calling);
                for (Runnable acquire : List.<Runnable>of(
                        () -> pool.acquire(1000).release(),
                        () -> pool.tryAcquire(1000).release(),
                        () -> pool.acquire(1000, Duration.ofSeconds(1)).release(),
                        () -> channel.acquire(1000).release(),
                        () -> channel.acquire(1000).release(), // a buffer that came back to the channel
                        () -> assertThrows(PoolExhaustedException.class, () -> pool.tryAcquire(Integer.MAX_VALUE)))) {
                    acquire.run();
                    String message = "a size listener must not call the pool that called it: pool=" + pool.name()
                            + ", policy=" + kind.policy();
                    assertEquals(List.of(message), ended);
                    assertEquals(1, begun.getAndSet(0));
                    ended.clear();
                }
                pool.removeSizeListener(calling);
                assertEquals(1, log.lines("a size listener has thrown").size());
                Conservation.check(pool);
            }
        }
        pool.acquire(1000).release(); // the calls of the listener have no effect any more
        pool.trim();
        channel.close();
    }

    @Test
    void aListenerMayCallAnotherPool() {
        BufferPool other = pool(kind.builder("other"));
        BufferPool pool = pool(kind.builder("told"));
        pool.addSizeListener(size -> other.acquire(size + 1).release());
        other.addSizeListener(listener);
        pool.acquire(1000).release();
        pool.acquire(1000).release();
        assertEquals(List.of(1001, 1001), told);
    }

    @Test
    void everySizeIsReportedOnceWhateverThreadsDo() throws Exception {
        BufferPool pool = pool(kind.builder("told").max(4 << 20));
        ConcurrentLinkedQueue<Integer> all = new ConcurrentLinkedQueue<>();
        pool.addSizeListener(all::add);
        ConcurrentLinkedQueue<Integer> asked = new ConcurrentLinkedQueue<>();
        AtomicInteger seed = new AtomicInteger();
        IntConsumer passing = size -> {};
        Threads.Action use = () -> {
            Random random = new Random(seed.incrementAndGet());
            List<PooledBuffer> leases = new ArrayList<>();
            for (int i = 0; i < 2000; i++) {
                int size = random.nextInt(random.nextInt(50) == 0 ? 2 * MAX_SIZE : 5000);
                asked.add(size);
                PooledBuffer lease = pool.tryAcquire(size);
                if (lease != null) {
                    leases.add(lease);
                }
                if (leases.size() > random.nextInt(20)) {
                    leases.remove(random.nextInt(leases.size())).release();
                }
            }
            leases.forEach(PooledBuffer::release);
        };
        Threads.Action comeAndGo = () -> {
            for (int i = 0; i < 2000; i++) {
                pool.addSizeListener(passing);
                pool.removeSizeListener(passing);
            }
        };
        Threads.together(List.of(use, use, use, comeAndGo, comeAndGo));
        assertEquals(6000, asked.size());
        assertEquals(sorted(asked), sorted(all));
    }

    private static List<Integer> sorted(ConcurrentLinkedQueue<Integer> sizes) {
        return sizes.stream().sorted().toList();
    }
}
