// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.buffers.PoolSettings;
import dev.buffers.internal.slab.Slot;
import dev.buffers.internal.upkeep.Healing;
import dev.buffers.support.Explicit;
import dev.buffers.support.Jvm;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * The leases of a pool, and what {@link Healing} makes of them. In a separate JVM: at most one collection is made in ten seconds, whichever
 * pool asks. The test controls the time.
 */
class SuspectsTest {
    private static final int SIZE = 64 << 10;

    /** A pool without its tick, at a time that only this moves. */
    private static final class Patient {
        final PoolParts parts;
        final Healing healing;
        private long now = System.nanoTime();

        Patient(PoolSettings.Collecting collect) {
            this(collect, SIZE);
        }

        Patient(PoolSettings.Collecting collect, int max) {
            parts = new PoolParts(new Explicit().policy("heap-view").max(max).collect(collect));
            healing = new Healing(parts.owner, parts.regions, new Suspects(parts.slabs));
        }

        void refuse() {
            parts.owner.counters.refused(1);
        }

        /** One second later. */
        boolean asks(int waitedFor) {
            now += TimeUnit.SECONDS.toNanos(1);
            return healing.askIfNeeded(parts.owner.counters.takeLeastRefused(), waitedFor, now);
        }

        /** In which of that many seconds it asked. */
        List<Integer> seconds(int count, int waitedFor) {
            List<Integer> asked = new ArrayList<>();
            for (int i = 1; i <= count; i++) {
                if (asks(waitedFor)) {
                    asked.add(i);
                }
            }
            return asked;
        }
    }

    static final class Cases {
        public static void main(String[] args) {
            Patient quiet = new Patient(PoolSettings.Collecting.AUTO);
            System.out.println("nothing is refused: " + quiet.seconds(30, 0));
            quiet.refuse();
            System.out.println("nothing could be found: " + quiet.seconds(30, 0));

            Patient dropped = new Patient(PoolSettings.Collecting.AUTO);
            Slot slot = dropped.parts.carve(SIZE);
            dropped.parts.giveBack(slot);
            Object kept = slot.slab.region.slot(0, SIZE);
            dropped.parts.slabs.dropUnused(true);
            System.out.println("dropped, but not needed: " + dropped.seconds(30, 0));
            dropped.refuse();
            dropped.now += TimeUnit.MINUTES.toNanos(1);
            System.out.println("dropped: " + dropped.seconds(9, 0));
            System.out.println("counted: " + dropped.parts.owner.stats().collections());
            System.out.println("logged: " + dropped.parts.called.size());
            // After each collection that finds nothing the pause is twice as long, up to five minutes.
            System.out.println("nothing was found: " + dropped.seconds(1000, SIZE));
            System.out.println("logged: " + dropped.parts.called.size());
            if (kept == null) {
                throw new AssertionError();
            }

            Patient leased = new Patient(PoolSettings.Collecting.AUTO);
            leased.now = dropped.now + TimeUnit.MINUTES.toNanos(1);
            Slot held = leased.parts.find(SIZE);
            System.out.println("a lease that is out: " + leased.seconds(5, SIZE));
            Patient turning = new Patient(PoolSettings.Collecting.AUTO);
            turning.now = leased.now + TimeUnit.MINUTES.toNanos(1);
            Slot turns = turning.parts.find(SIZE);
            int asked = 0;
            for (int i = 0; i < 30; i++) {
                asked += turning.asks(SIZE) ? 1 : 0;
                turns.endUnused(null);
                turns.begin();
            }
            System.out.println("leases that come and go: " + asked);

            System.out.println("one old lease of many: " + oldOfMany(turning.now + TimeUnit.MINUTES.toNanos(1)));

            Patient past = new Patient(PoolSettings.Collecting.AUTO);
            past.now = turning.now + TimeUnit.MINUTES.toNanos(5);
            past.refuse();
            past.asks(0); // sees the refusal; nothing is leased yet
            past.now += TimeUnit.MINUTES.toNanos(1);
            past.parts.find(SIZE);
            System.out.println("a refusal that has passed: " + past.seconds(60, 0));

            Patient off = new Patient(PoolSettings.Collecting.OFF);
            off.now = turning.now + TimeUnit.MINUTES.toNanos(5);
            off.parts.find(SIZE);
            off.refuse();
            System.out.println("off: " + off.seconds(60, SIZE) + ", logged: " + off.parts.called.size());
            if (held.slab.isDissolved()) {
                throw new AssertionError();
            }
        }
    }

    /** Whether it asks although all leases that it may note at once are short. */
    private static boolean oldOfMany(long now) {
        Patient many = new Patient(PoolSettings.Collecting.AUTO, 12 << 20);
        many.now = now;
        List<Slot> slots = new ArrayList<>();
        for (int i = 0; i < 90_000; i++) {
            slots.add(many.parts.find(128));
        }
        for (int second = 0; second < 6; second++) {
            if (many.asks(128)) {
                return true;
            }
            for (Slot slot : slots.subList(0, 89_999)) {
                slot.endUnused(null);
                slot.begin();
            }
        }
        return false;
    }

    @Test
    void collectionIsRequestedOnlyWhenUseful() throws Exception {
        assertEquals("""
            nothing is refused: []
            nothing could be found: []
            dropped, but not needed: []
            dropped: [1]
            counted: 1
            logged: 1
            nothing was found: [2, 22, 62, 142, 302, 602, 902]
            logged: 1
            a lease that is out: [2]
            leases that come and go: 0
            one old lease of many: true
            a refusal that has passed: []
            off: [], logged: 0
            """, Jvm.run(Cases.class, "-Xmx128m", "-XX:+UseSerialGC"));
    }
}
