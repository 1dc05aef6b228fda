// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.support.Conservation;
import dev.buffers.support.Eventually;
import dev.buffers.support.Leases;
import dev.buffers.support.Logged;
import dev.buffers.support.Threads;
import dev.buffers.support.TrimTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The reports of a lost lease: who receives them, their content, and the list of {@code openLeases}. */
class LeakReportTest {
    private final ConcurrentLinkedQueue<LeakReport> told = new ConcurrentLinkedQueue<>();
    private Logged log = new Logged("unused");

    /** Its log is that of the test. */
    private BufferPool.Builder builder(String name) {
        log.close();
        log = new Logged(name);
        return BufferPool.builder(name).policy("heap-view");
    }

    private BufferPool pool(String name, LeakTracking tracking) {
        return builder(name).max(64 << 20).leaks(tracking).onLeak(told::add).build();
    }

    @AfterEach
    void restore() {
        log.close();
    }

    /** The first line of the log. */
    private String line() {
        return log.records().get(0).getMessage();
    }

    private static void lose(BufferPool pool, int size) {
        pool.acquire(size).buffer().put(0, (byte) 1);
    }

    /** Frameworks cache leases in fields of their threads. Once such a thread has ended, its leases are lost. */
    private static void cacheInThreadThatEnds(BufferPool pool, Runnable beforeItsEnd) throws InterruptedException {
        CountDownLatch cached = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        Thread thread = new Thread() {
            @SuppressWarnings("unused") // to be reachable through the thread
            private PooledBuffer cache;

            @Override
            public void run() {
                pool.acquire(4096).release(); // the thread has a magazine from now on
                cache = pool.acquire(4096);
                cached.countDown();
                Threads.await(end);
            }
        };
        thread.start();
        cached.await();
        beforeItsEnd.run();
        end.countDown();
        thread.join();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void leaseOfEndedThreadIsFoundEvenAfterClose(boolean closed) throws Exception {
        BufferPool pool = pool("ended-thread", LeakTracking.count());
        cacheInThreadThatEnds(pool, closed ? pool::close : () -> {});
        Eventually.collected("it is known as lost", () -> pool.stats().leaks() == 1);
        assertEquals(0, Conservation.check(pool).leases());
        pool.close();
    }

    @Test
    void listenerThatThrowsIsToldOfEachLoss() {
        try (BufferPool pool = builder("thrown")
                .max(8 << 20)
                .onLeak(report -> {
                    told.add(report);
                    throw new StackOverflowError("from the listener");
                })
                .build()) {
            for (int i = 0; i < 20; i++) {
                lose(pool, 4096);
            }
            Eventually.collected("each is told", () -> told.size() == 20);
            assertEquals(1, log.lines("the leak listener has thrown").size());
        }
    }

    @Test
    void lossIsReportedOnceAndSoonWithoutTraffic() throws Exception {
        try (BufferPool pool = pool("told", LeakTracking.count())) {
            for (int i = 0; i < 3; i++) {
                lose(pool, 4096);
            }
            Eventually.collected(
                    "all losses are reported without a call of the pool",
                    () -> told.size() >= 3 && !log.records().isEmpty());
            System.gc();
            Thread.sleep(1_200); // for reports that must not come
            assertEquals(3, told.size());
            assertEquals(3, Conservation.check(pool).leaks());
            assertEquals(new LeakReport("told", 4096, true, Optional.empty()), told.peek());
            assertTrue(log.records().size() <= 2, () -> log.lines("").toString());
            assertTrue(
                    line().startsWith("a lease was lost, dropped without release: pool=told, capacity=4096"),
                    this::line);
            assertTrue(
                    line().endsWith("; set the builder's leaks=all to see where such leases were acquired"),
                    this::line);
            assertEquals(Level.WARNING, log.records().get(0).getLevel());
        }
    }

    @Test
    void theHintNamesTheSettingAndNotThePoolsNumber() {
        try (BufferPool first = builder("hinted").build();
                BufferPool second = builder("hinted").build()) {
            lose(second, 100);
            Eventually.collected("the log says it", () -> !log.records().isEmpty());
            assertEquals("hinted-2", second.name());
            assertTrue(line().contains("pool=hinted-2,"), this::line);
            assertTrue(line().contains("-Dbuffers.hinted.leaks="), this::line);
            assertEquals(0, first.stats().leaks());
        }
    }

    /** Every way to a lease. */
    static Stream<Function<BufferPool, PooledBuffer>> ways() {
        return Stream.of(
                pool -> pool.acquire(100),
                pool -> pool.tryAcquire(100),
                pool -> pool.acquire(100, Duration.ofSeconds(1)),
                pool -> {
                    ChannelBuffers channel = pool.channel();
                    channel.acquire(100).release(); // it comes back to the channel
                    return channel.acquire(100);
                });
    }

    /** The setting can change while the pool runs, and then counts for the next acquire, even if that is a hit. */
    @ParameterizedTest
    @MethodSource("ways")
    void changedTrackingCountsForNextAcquire(Function<BufferPool, PooledBuffer> way) {
        try (BufferPool pool = pool("changed", LeakTracking.count())) {
            pool.acquire(100).release();
            pool.acquire(100).release(); // a hit
            pool.leaks(LeakTracking.all());
            try (PooledBuffer lease = way.apply(pool)) {
                assertTrue(lease.isOpen());
                assertEquals(List.of(100), sizes(pool.openLeases()));
            }
            pool.leaks(LeakTracking.count());
            long hits = pool.stats().acquires(AcquireOutcome.THREAD);
            pool.acquire(100).release();
            pool.acquire(100).release();
            assertTrue(pool.stats().acquires(AcquireOutcome.THREAD) > hits);
        }
    }

    @Test
    void allIsKnownOfALeaseWhoseStackWasKept() throws Exception {
        try (BufferPool pool = pool("known", LeakTracking.all())) {
            long start = System.nanoTime();
            lose(pool, 3000);
            Thread.sleep(50);
            Eventually.collected("the listener is told", () -> !told.isEmpty());
            Duration most = Duration.ofNanos(System.nanoTime() - start);
            LeakReport report = told.remove();
            LeakReport.Acquisition known = report.acquisition().orElseThrow();
            assertEquals("known", report.pool());
            assertEquals(3072, report.capacity());
            assertEquals(3000, known.size());
            assertTrue(known.age().toMillis() >= 50 && known.age().compareTo(most) <= 0, () -> known.age() + "");
            assertEquals(Thread.currentThread().getName(), known.thread());
            assertLeadsHere(known.stack());
            Eventually.holds("the log says it", () -> !log.records().isEmpty());
            String line = line();
            assertTrue(line.contains("pool=known, capacity=3072, size=3000, age="), line);
            assertTrue(line.contains("\tat dev.buffers.LeakReportTest.lose(LeakReportTest.java:"), line);
            assertFalse(line.contains("set -D"), line);
        }
    }

    /** The caller of the pool comes first. */
    private static void assertLeadsHere(List<StackTraceElement> stack) {
        assertTrue(
                stack.stream().limit(2).anyMatch(frame -> frame.getMethodName().equals("lose")),
                () -> "the caller of the pool comes first: " + stack);
    }

    @Test
    void traceDescribesCurrentLeaseOnly() {
        try (BufferPool pool = pool("earlier", LeakTracking.sample(3))) {
            for (int i = 0; i < 300; i++) {
                pool.acquire(1000 + i).release();
            }
            List<PooledBuffer> leases = Leases.of(30, () -> pool.acquire(1000));
            List<LeakReport> open = pool.openLeases();
            assertEquals(30, open.size());
            for (LeakReport report : open) {
                assertEquals(
                        1000,
                        report.acquisition().map(LeakReport.Acquisition::size).orElse(1000));
            }
            leases.forEach(PooledBuffer::release);
            assertEquals(List.of(), pool.openLeases());
        }
    }

    /** How many of the open leases have a stack. */
    private static long sampled(BufferPool pool) {
        return pool.openLeases().stream()
                .filter(report -> report.acquisition().isPresent())
                .count();
    }

    /** The intervals are random, and n on average: of about 90 samples, 45 is five standard deviations too few. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 50})
    void oneInNAcquiresOfAThreadIsSampled(int every) throws Exception {
        try (BufferPool pool = pool("sampled", LeakTracking.sample(every))) {
            List<PooledBuffer> leases = Threads.call(() -> Leases.of(90 * every, () -> pool.acquire(128)));
            long sampled = sampled(pool);
            long expected = leases.size() / every;
            assertTrue(sampled >= expected / 2 && sampled <= 2 * expected, () -> sampled + " of " + expected);
            assertTrue(every > 1 || sampled == expected, "each one with sample:1");
            leases.forEach(PooledBuffer::release);
        }
    }

    /** A request that takes four buffers and forgets one of them, always the same one. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void sampleFindsLeaseThatIsAlwaysTheSameOfFour(int forgotten) throws Exception {
        try (BufferPool pool = pool("pattern", LeakTracking.sample(128))) {
            List<PooledBuffer> kept = new ArrayList<>();
            for (int i = 0; i < 2_000; i++) {
                for (int k = 0; k < 4; k++) {
                    PooledBuffer lease = pool.acquire(128);
                    if (k == forgotten) {
                        kept.add(lease);
                    } else {
                        lease.release();
                    }
                }
            }
            assertTrue(
                    sampled(pool) > 0,
                    "2,000 acquires in 128: the probability that none of them is sampled is 1 in six millions");
            kept.forEach(PooledBuffer::release);
        }
    }

    @Test
    void noMoreThanAHundredStacksASecond() {
        try (BufferPool pool = pool("spared", LeakTracking.sample(1))) {
            long start = System.nanoTime();
            List<PooledBuffer> leases = Leases.of(20_000, () -> pool.acquire(128));
            long seconds = (System.nanoTime() - start) / 1_000_000_000 + 2;
            long sampled = sampled(pool);
            assertTrue(sampled >= 100 && sampled <= 100 * seconds, () -> sampled + " in " + seconds + " s");
            leases.forEach(PooledBuffer::release);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @SuppressWarnings("try") // the pool is closed twice
    void openLeasesBeginWithTheOldest(boolean guard) throws Exception {
        try (BufferPool pool = BufferPool.builder("open")
                .policy("heap-view")
                .max(8 << 20)
                .leaks(LeakTracking.all())
                .guard(guard)
                .build()) {
            PooledBuffer first = pool.acquire(100);
            Thread.sleep(3);
            PooledBuffer second = pool.acquire(50_000);
            Thread.sleep(3);
            ChannelBuffers channel = pool.channel();
            channel.input();
            Thread.sleep(3);
            PooledBuffer large = pool.acquire(2 << 20);
            pool.acquire(100).release();
            PooledBuffer further = first.retain();
            PooledBuffer part = first.slice(0, 10);
            first.release();
            assertEquals(List.of(100, 50_000, 8192, 2 << 20), sizes(pool.openLeases()));
            further.release();
            part.release();
            channel.close();
            assertEquals(List.of(50_000, 2 << 20), sizes(pool.openLeases()));
            pool.close();
            assertEquals(List.of(50_000, 2 << 20), sizes(pool.openLeases()));
            second.release();
            large.release();
            assertEquals(List.of(), pool.openLeases());
        }
    }

    /** Reports take longer to make than leases to acquire, and are not made in that order. */
    @Test
    void ageIsTheSameMomentsForAll() {
        try (BufferPool pool = pool("ages", LeakTracking.all())) {
            List<PooledBuffer> leases = new ArrayList<>();
            List<Integer> expected = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                int size = 1 + i * 7919 % 30_000; // of many size classes
                leases.add(pool.acquire(size));
                expected.add(size);
            }
            assertEquals(expected, sizes(pool.openLeases()));
            leases.forEach(PooledBuffer::release);
        }
    }

    private static List<Integer> sizes(List<LeakReport> reports) {
        return reports.stream()
                .map(report -> report.acquisition().orElseThrow().size())
                .toList();
    }

    /** The log takes one line a minute, so the second loss would wait for its line longer than the pool is looked after. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void lossAfterCloseIsLoggedOnceNoLeaseIsOut(boolean guard) {
        BufferPool pool = builder("last-line").max(1 << 20).guard(guard).build();
        lose(pool, 100);
        Eventually.collected("the first loss is logged", () -> lostLines() == 1);
        PooledBuffer[] lease = {pool.acquire(100)};
        pool.close();
        lease[0] = null;
        Eventually.collected("the second loss is logged", () -> lostLines() == 2);
        assertEquals(2, pool.stats().leaks());
    }

    private long lostLines() {
        return log.lines("a lease was lost").size();
    }

    @Test
    void aStormFloodsNothing() {
        int leases = 20_000;
        try (BufferPool pool = pool("storm", LeakTracking.count())) {
            int lost = 0;
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(300);
            while (lost < leases && System.nanoTime() < deadline) {
                PooledBuffer lease = pool.tryAcquire(128);
                if (lease == null) {
                    System.gc();
                } else {
                    lost++;
                }
            }
            int all = lost;
            Eventually.collected("every loss is counted", () -> pool.stats().leaks() == all);
            assertEquals(leases, all);
            Conservation.becomesEmpty(pool, true);
            Eventually.holds("the listener is told of most", () -> told.size() >= 10_000);
            assertTrue(log.records().size() <= 3, () -> log.records().size() + " lines");
            Conservation.check(pool);
        }
    }

    /** Ten minutes of a server that loses one lease in a thousand. */
    @Test
    void aSmallLeakKeepsTheBudgetIntact() {
        int seconds = 600;
        try (BufferPool pool = builder("hour").max(16 << 20).onLeak(told::add).build()) {
            TrimTime time = new TrimTime(pool);
            long lost = 0;
            long most = 0;
            PooledBuffer[] live = new PooledBuffer[20];
            int[] sizes = {200, 4096, 16_384};
            for (int second = 0; second < seconds; second++) {
                for (int request = 0; request < 60; request++) {
                    int n = second * 60 + request;
                    PooledBuffer lease = pool.tryAcquire(sizes[n % 3]);
                    if (lease == null) {
                        System.gc(); // which a server's own garbage would bring about
                        continue;
                    }
                    lease.buffer().putInt(0, n);
                    int at = n % live.length;
                    if (live[at] != null) {
                        live[at].release();
                    }
                    live[at] = lease;
                    if (n % 1000 == 999) {
                        live[at] = null;
                        lost++;
                    }
                }
                time.seconds(1);
                if (second % 100 == 99) {
                    System.gc();
                }
                PoolStats stats = pool.stats();
                most = Math.max(most, stats.reservedBytes() + stats.droppedBytes());
            }
            Stream.of(live).filter(Objects::nonNull).forEach(PooledBuffer::release);
            Arrays.fill(live, null);
            long expected = lost;
            long peak = most;
            assertTrue(expected >= seconds / 18, () -> expected + " lost");
            Eventually.collected("every loss is counted", () -> pool.stats().leaks() == expected);
            assertTrue(peak <= 12 << 20, () -> "at most " + peak);
            time.seconds(15);
            Conservation.becomesEmpty(pool, false);
            Conservation.check(pool);
            Eventually.holds("all are told", () -> told.size() == expected);
        }
    }
}
