// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.support.Eventually;
import dev.buffers.support.Leases;
import dev.buffers.support.Logged;
import dev.buffers.support.Threads;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@link PooledBuffer#touch}: leak reports show the hints, and neither a hint nor the tracker keeps a lease reachable. */
class TouchTest {

    private static BufferPool.Builder builder(String leaks) {
        LeakTracking tracking = switch (leaks) {
            case "count" -> LeakTracking.count();
            case "sample" -> LeakTracking.sample(1);
            case "older" -> LeakTracking.older(Duration.ofMillis(1));
            default -> LeakTracking.all();
        };
        return BufferPool.builder("touched")
                .policy("heap-view")
                .max(8 << 20)
                .leaks(tracking)
                .guard(leaks.equals("guard"));
    }

    private static List<String> hints(BufferPool pool) {
        return hints(pool.openLeases().get(0));
    }

    private static List<String> hints(LeakReport report) {
        return report.acquisition().orElseThrow().touches().stream()
                .map(LeakReport.Touch::hint)
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"all", "sample", "older", "guard"})
    void aReportNamesTheHints(String leaks) throws Exception {
        try (Logged quiet = new Logged("touched");
                BufferPool pool = builder(leaks).build()) {
            PooledBuffer lease = pool.acquire(1000);
            assertSame(lease, lease.touch("parsed"));
            PooledBuffer further = lease.retain();
            Threads.run(() -> further.touch(List.of("queue", 7)));
            lease.release();
            LeakReport report = pool.openLeases().get(0);
            LeakReport.Acquisition known = report.acquisition().orElseThrow();
            assertEquals(List.of("parsed", "[queue, 7]"), hints(pool));
            LeakReport.Touch first = known.touches().get(0);
            LeakReport.Touch second = known.touches().get(1);
            assertEquals(Thread.currentThread().getName(), first.thread());
            assertTrue(!second.thread().equals(first.thread()), second.thread());
            assertTrue(first.age().compareTo(second.age()) <= 0);
            assertTrue(second.age().compareTo(known.age()) <= 0);
            assertTrue(
                    report.toString()
                            .matches("(?s).*\\R\\ttouched after \\w+ by thread " + first.thread()
                                    + ": parsed\\R\\ttouched after \\w+ by thread .*: \\[queue, 7]"),
                    report::toString);
            assertEquals(
                    report.stackText(),
                    report.toString()
                            .lines()
                            .skip(1)
                            .limit(known.stack().size())
                            .collect(java.util.stream.Collectors.joining(System.lineSeparator())));
            further.release();
            assertEquals(0, quiet.lines("thrown").size());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"all", "guard"})
    void hintOfEndedLeaseIsNotSaidOfOthers(String leaks) {
        try (BufferPool pool = builder(leaks).build()) {
            PooledBuffer lease = pool.acquire(1000);
            PooledBuffer further = lease.retain();
            lease.release();
            lease.touch("late");
            assertEquals(List.of(), hints(pool));
            further.release();
        }
    }

    @Test
    void ofManyTheLatestEightAreKept() {
        try (BufferPool pool = builder("all").build();
                PooledBuffer lease = pool.acquire(100)) {
            IntStream.range(0, 8).forEach(lease::touch);
            assertEquals(List.of("0", "1", "2", "3", "4", "5", "6", "7"), hints(pool));
            IntStream.range(8, 20).forEach(lease::touch);
            assertEquals(List.of("12", "13", "14", "15", "16", "17", "18", "19"), hints(pool));
        }
    }

    /** From any threads: no hint displaces another thread's hint. */
    @Test
    void hintsOfSeveralThreadsAreAllKept() throws Exception {
        try (BufferPool pool = builder("all").build()) {
            for (int part = 0; part < 20; part++) {
                List<PooledBuffer> leases = Leases.of(100, () -> pool.acquire(100));
                leases.forEach(lease -> IntStream.range(8, 16).forEach(lease::touch));
                Threads.inRounds(
                        100,
                        i -> IntStream.range(0, 4).forEach(leases.get(i)::touch),
                        i -> IntStream.range(4, 8).forEach(leases.get(i)::touch));
                List<LeakReport> open = pool.openLeases();
                assertEquals(100, open.size());
                for (LeakReport each : open) {
                    assertEquals(
                            List.of("0", "1", "2", "3", "4", "5", "6", "7"),
                            hints(each).stream().sorted().toList());
                }
                leases.forEach(PooledBuffer::release);
            }
        }
    }

    @Test
    void withoutAStackNothingIsAskedOfTheHint() {
        Object hint = new Object() {
            @Override
            public String toString() {
                throw new IllegalStateException("asked");
            }
        };
        try (BufferPool pool = builder("count").build();
                PooledBuffer lease = pool.acquire(100)) {
            assertSame(lease, lease.touch(hint));
        }
        try (BufferPool pool = builder("all").build();
                PooledBuffer lease = pool.acquire(100)) {
            assertSame(lease, lease.touch(hint));
            assertEquals(List.of("toString has thrown: java.lang.IllegalStateException"), hints(pool));
        }
    }

    @Test
    void aLateHintIsNotSaidOfTheNextHolder() {
        try (BufferPool pool = builder("all").build()) {
            PooledBuffer ended = pool.acquire(100);
            ended.release();
            try (PooledBuffer next = pool.acquire(100)) {
                ended.touch("late");
                assertEquals(List.of(), hints(pool));
                next.touch("mine");
                assertEquals(List.of("mine"), hints(pool));
            }
        }
    }

    /** Neither the record of a lease, nor a hint that is the lease, nor a report of it makes the lease or its view reachable. */
    @Tag("full")
    @ParameterizedTest
    @ValueSource(strings = {"count", "sample", "all", "older"})
    @SuppressWarnings("try") // the log is kept from the console, and that is all
    void nothingKeepsALeaseOrAViewReachable(String leaks) {
        Queue<LeakReport> told = new ConcurrentLinkedQueue<>();
        try (Logged quiet = new Logged("touched");
                BufferPool pool = builder(leaks).onLeak(told::add).build()) {
            List<LeakReport> open = new ArrayList<>();
            List<WeakReference<?>> dropped = new ArrayList<>();
            drop(pool, told, leaks, dropped, open);
            assertEquals(2, open.size());
            Eventually.collected("all are found", () -> pool.stats().leaks() == 2);
            for (WeakReference<?> each : dropped) {
                assertNull(each.get());
            }
            Eventually.holds(
                    "and told", () -> told.stream().filter(LeakReport::lost).count() == 2);
        }
    }

    private static void drop(
            BufferPool pool,
            Queue<LeakReport> told,
            String leaks,
            List<WeakReference<?>> dropped,
            List<LeakReport> open) {
        PooledBuffer lease = pool.acquire(1000);
        PooledBuffer further = pool.acquire(100).retain();
        lease.touch(lease).touch(lease.buffer());
        further.touch(further);
        open.addAll(pool.openLeases());
        Eventually.holds("reported while it is out", () -> !leaks.equals("older") || told.size() == 2);
        for (PooledBuffer each : List.of(lease, further)) {
            ByteBuffer view = each.buffer();
            dropped.add(new WeakReference<>(each));
            dropped.add(new WeakReference<>(view));
        }
    }

    /** With leases of many slots open at once, one of which stays open. */
    private static PooledBuffer touchAll(BufferPool pool, List<WeakReference<?>> notes) {
        List<PooledBuffer> leases = Leases.of(500, () -> pool.acquire(1024));
        PooledBuffer kept = leases.remove(250);
        for (PooledBuffer lease : leases) {
            String note = "note " + notes.size(); // a trace keeps it
            lease.touch(note);
            notes.add(new WeakReference<>(note));
        }
        leases.forEach(PooledBuffer::release);
        return kept;
    }

    private static boolean areCollected(List<WeakReference<?>> notes) {
        return notes.stream().allMatch(note -> note.get() == null);
    }

    /** The trace of a lease that has ended keeps no memory, and with its stack no classes of an application. */
    @Test
    void trimLeavesNoTraces() {
        List<WeakReference<?>> notes = new ArrayList<>();
        try (BufferPool pool = builder("all").build()) {
            PooledBuffer kept = touchAll(pool, notes);
            pool.trim();
            Eventually.collected("no slot keeps an old trace", () -> areCollected(notes));
            kept.release();
        }
    }

    /** Also not in the magazine of a thread that goes on. */
    @Tag("full")
    @Test
    void trackingThatIsTurnedOffLeavesNoTraces() {
        List<WeakReference<?>> notes = new ArrayList<>();
        try (BufferPool pool = builder("all").build()) {
            PooledBuffer kept = touchAll(pool, notes);
            pool.leaks(LeakTracking.count());
            Eventually.collected("no slot keeps an old trace", () -> {
                pool.acquire(1024).release();
                return areCollected(notes);
            });
            kept.release();
        }
    }
}
