// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.AcquireOutcome;
import dev.buffers.PoolStats;
import dev.buffers.ReleaseOutcome;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ReadingTest {

    /** R1 */
    @Test
    void noCounterGoesBackwards() {
        Reading reading = Reading.first(0, Figures.none().counted(10).stats());
        assertCounters(10, reading);
        reading = reading.next(1, Figures.none().counted(7).stats());
        assertCounters(10, reading);
        reading = reading.next(2, Figures.none().counted(9).stats());
        assertCounters(10, reading);
        assertCounters(11, reading.next(3, Figures.none().counted(11).stats()));
    }

    private static void assertCounters(long expected, Reading reading) {
        assertEquals(expected, reading.count(AcquireOutcome.THREAD));
        assertEquals(0, reading.count(AcquireOutcome.REJECTED));
        assertEquals(expected, reading.count(ReleaseOutcome.RECYCLED));
        for (Reading.Counter counter : Reading.Counter.values()) {
            assertEquals(expected, reading.count(counter), counter.name());
        }
    }

    /** R2 */
    @Test
    void aNewSizeIsCountedAmongTheOthersOnce() {
        Reading reading =
                Reading.first(0, Figures.none().leased(128, 3).others(1).stats());
        assertEquals(Set.of(128), reading.announced());
        assertEquals(3, reading.leases(128));
        assertEquals(1, reading.otherLeases());

        PoolStats two = Figures.none().leased(128, 3).leased(256, 5).others(1).stats();
        reading = reading.next(1, two);
        assertEquals(Set.of(128, 256), reading.announced());
        assertEquals(0, reading.leases(256));
        assertEquals(6, reading.otherLeases());

        reading = reading.next(2, two);
        assertEquals(5, reading.leases(256));
        assertEquals(1, reading.otherLeases());
    }

    /** R3 */
    @Test
    void aSizeThatIsGoneIsShownAsZero() {
        Reading reading = Reading.first(0, Figures.none().leased(128, 3).stats());
        reading = reading.next(1, Figures.none().stats()).next(2, Figures.none().stats());
        assertEquals(Set.of(128), reading.announced());
        assertEquals(0, reading.leases(128));
        assertEquals(0, reading.otherLeases());
    }

    /** R3 */
    @Test
    void surplusSizesAreCountedTogether() {
        Figures figures = Figures.none();
        for (int i = 1; i <= 60; i++) {
            figures.leased(128 * i, 2);
        }
        Reading reading = Reading.first(0, Figures.none().leased(128 * 60, 2).stats());
        reading = reading.next(1, figures.stats()).next(2, figures.stats()).next(3, figures.stats());

        assertEquals(Reading.MOST_SIZES, reading.announced().size());
        assertTrue(reading.announced().contains(128 * 60), "a size that has a meter keeps it");
        assertEquals(2 * (60 - Reading.MOST_SIZES), reading.otherLeases());
        long apart = reading.announced().stream().mapToLong(reading::leases).sum();
        assertEquals(120, apart + reading.otherLeases());
    }
}
