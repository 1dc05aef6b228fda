// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.internal.pool.PoolParts;
import dev.buffers.support.Eventually;
import dev.buffers.support.Logged;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The actions of a pool show in a recording. */
class FlightPoolTest {
    private static final AtomicInteger POOLS = new AtomicInteger();
    private static final String SAMPLED = "flight-sampled";

    @TempDir
    Path folder;

    private interface Work {
        void run(BufferPool pool) throws Exception;
    }

    private List<RecordedEvent> record(String event, BufferPool.Builder builder, Work work) throws Exception {
        try (Recording recording = new Recording()) {
            recording.enable("dev.buffers." + event).withStackTrace().withThreshold(Duration.ZERO);
            recording.start();
            String name;
            try (BufferPool pool = builder.build()) {
                name = pool.name();
                work.run(pool);
            }
            Eventually.holds("an event", () -> !events(recording, event, name).isEmpty());
            recording.stop();
            return events(recording, event, name);
        }
    }

    /** Each with another name: events of a pool that was closed may come later. */
    private static BufferPool.Builder builder() {
        return BufferPool.builder("flight" + POOLS.incrementAndGet())
                .policy("heap-view")
                .max(1 << 20);
    }

    private static boolean isIn(RecordedEvent event, String method) {
        return event.getStackTrace().getFrames().stream()
                .anyMatch(frame -> frame.getMethod().getName().contains(method));
    }

    /** Once each: the hits after the first acquire leave no trace. */
    @Test
    void aRegionThatIsReservedAndDropped() throws Exception {
        List<RecordedEvent> reserved = record("RegionReserved", builder(), pool -> {
            for (int i = 0; i < 10_000; i++) {
                pool.acquire(4096).release();
            }
        });
        assertEquals(1, reserved.size());
        assertEquals(64 << 10, reserved.get(0).getLong("bytes"));
        List<RecordedEvent> dropped =
                record("RegionDropped", builder(), pool -> pool.acquire(4096).release());
        assertEquals(1, dropped.size());
        assertEquals(64 << 10, dropped.get(0).getLong("bytes"));
    }

    @Test
    void droppedRegionIsRecordedWhileItsPoolIsOpen() throws Exception {
        try (Recording recording = new Recording();
                BufferPool pool = builder().build()) {
            recording.enable("dev.buffers.RegionDropped");
            recording.start();
            pool.acquire(4096).release();
            assertEquals(64 << 10, pool.trim());
            Eventually.holds(
                    "the event",
                    () -> events(recording, "RegionDropped", pool.name()).size() == 1);
        }
    }

    /** A second of oversize leases would fill the heap with regions that wait for the tick. */
    @Test
    void cutRecordsDroppedRegionsBeforeTick() throws Exception {
        PoolParts parts = new PoolParts("heap-view", 1 << 20);
        try (Recording recording = new Recording()) {
            recording.enable("dev.buffers.RegionDropped");
            recording.start();
            parts.giveBackFree(parts.carve(4096));
            parts.slabs.revokeAll();
            assertEquals(64 << 10, parts.slabs.dropUnused(true));
            parts.carve(4096);
            recording.stop();
            assertEquals(
                    1, events(recording, "RegionDropped", parts.owner.name()).size());
        }
    }

    @Test
    void anAcquireThatIsRefused() throws Exception {
        List<RecordedEvent> refused = record("Exhausted", builder(), pool -> {
            try (PooledBuffer all = pool.acquire(1 << 20)) {
                assertTrue(all.isOpen());
                assertThrows(PoolExhaustedException.class, () -> pool.acquire(100));
            }
        });
        assertEquals(1, refused.size());
        assertEquals(100, refused.get(0).getLong("size"));
        assertTrue(isIn(refused.get(0), "anAcquireThatIsRefused"));
    }

    @Test
    void aWait() throws Exception {
        List<RecordedEvent> waits = record("Waited", builder(), pool -> {
            try (PooledBuffer all = pool.acquire(1 << 20)) {
                assertTrue(all.isOpen());
                assertThrows(PoolExhaustedException.class, () -> pool.acquire(100, Duration.ofMillis(30)));
            }
        });
        assertEquals(1, waits.size());
        // The recorder's clock need not agree with the pool's to the last.
        assertTrue(waits.get(0).getDuration().toMillis() >= 15, () -> waits.toString());
        assertEquals(100, waits.get(0).getLong("size"));
        assertFalse(waits.get(0).getBoolean("succeeded"));
        assertTrue(isIn(waits.get(0), "aWait"));
    }

    @Test
    void aLeak() throws Exception {
        AtomicInteger told = new AtomicInteger();
        List<RecordedEvent> leaks =
                record("Leak", builder().leaks(LeakTracking.all()).onLeak(report -> told.incrementAndGet()), pool -> {
                    pool.acquire(5000);
                    Eventually.collected("the loss is told", () -> told.get() > 0);
                });
        assertEquals(1, leaks.size());
        assertTrue(leaks.get(0).getString("acquiredAt").contains("FlightPoolTest"));
        assertEquals(5000, leaks.get(0).getLong("size"));
    }

    @Test
    void aGuardFinding() throws Exception {
        BufferPool.Builder guarded = BufferPool.builder("flight-guarded")
                .policy("heap-view")
                .max(1 << 20)
                .guard(true);
        try (Logged quiet = new Logged("flight-guarded")) {
            List<RecordedEvent> findings = record("GuardFinding", guarded, pool -> {
                PooledBuffer lease = pool.acquire(5000);
                lease.release();
                assertThrows(IllegalStateException.class, lease::release);
            });
            assertEquals(1, findings.size());
            assertEquals("DOUBLE_RELEASE", findings.get(0).getString("kind"));
            for (String where : List.of("acquiredAt", "releasedAt", "foundAt")) {
                assertTrue(findings.get(0).getString(where).contains("aGuardFinding"), where);
            }
            assertEquals(1, quiet.records().size());
        }
    }

    /** At the period that the recording sets, and not after the pool is closed. */
    @Test
    void statisticsAreSampledUntilPoolIsClosed() throws Exception {
        try (Recording recording = new Recording()) {
            recording.enable("dev.buffers.PoolStatistics").withPeriod(Duration.ofMillis(100));
            recording.start();
            Instant closed;
            try (BufferPool pool = BufferPool.builder(SAMPLED).max(1 << 20).build();
                    PooledBuffer lease = pool.acquire(4096)) {
                assertTrue(lease.isOpen());
                Eventually.holds("three samples", () -> samples(recording).size() >= 3);
                RecordedEvent sample = last(samples(recording));
                assertEquals(4096, sample.getLong("leasedBytes"), sample::toString);
                assertEquals(1, sample.getLong("leases"));
                assertTrue(sample.getString("settings").contains("max=1m (builder)"), sample::toString);
                closed = Instant.now();
            }
            Thread.sleep(500); // five periods
            RecordedEvent sample = last(samples(recording));
            assertTrue(sample.getEndTime().isBefore(closed.plusMillis(250)), sample + "\nclosed " + closed);
        }
    }

    private static RecordedEvent last(List<RecordedEvent> samples) {
        return samples.get(samples.size() - 1);
    }

    private List<RecordedEvent> samples(Recording recording) {
        return events(recording, "PoolStatistics", SAMPLED);
    }

    /** The events of a pool so far. */
    private List<RecordedEvent> events(Recording recording, String event, String pool) {
        try {
            Path file = folder.resolve("flight.jfr");
            recording.dump(file);
            return RecordingFile.readAllEvents(file).stream()
                    .filter(one -> one.getEventType().getName().equals("dev.buffers." + event))
                    .filter(one -> one.getString("pool").equals(pool))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
