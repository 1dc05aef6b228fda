// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.upkeep;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.buffers.internal.memory.Budget;
import dev.buffers.internal.memory.BuiltInPolicy;
import dev.buffers.internal.memory.Region;
import dev.buffers.internal.memory.RegionAllocator;
import dev.buffers.internal.signals.Counters;
import dev.buffers.support.BareOwner;
import dev.buffers.support.Eventually;
import dev.buffers.support.Jvm;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/** In a separate JVM: at most one collection is made in ten seconds, whichever pool asks. The test controls the time. */
class HealingTest {

    /** Leases of which one may be lost if the test says so. */
    private static final class Leases implements Healing.Leases {
        boolean suspect;
        boolean forgotten;

        @Override
        public boolean hasSuspect(long now) {
            return suspect;
        }

        @Override
        public void forgetSuspects() {
            forgotten = true;
        }
    }

    static final class Cases {
        /** Memory that no collection takes. */
        private static final List<ByteBuffer> KEPT = new ArrayList<>();

        private static long now = System.nanoTime();

        public static void main(String[] args) {
            Pace.LOG.setLevel(Level.OFF);
            Leases leases = new Leases();
            System.out.println("too little: " + asks(dropped(4000, 95), leases, 4096));
            System.out.println("no waiter: " + asks(dropped(4000, 95), leases, 0) + ", forgotten: " + leases.forgotten);
            System.out.println("enough: " + asks(dropped(4000, 96), leases, 4096));

            System.out.println("too little for a refused one: " + asksAfterRefusal(dropped(4000, 95), leases));
            System.out.println("enough for a refused one: " + asksAfterRefusal(dropped(4000, 96), leases));

            System.out.println("the cap alone: " + asks(dropped(0, 0), leases, 4096));
            System.out.println("the JVM: " + asks(refusedByTheJvm(), leases, 4096));

            leases.suspect = true;
            System.out.println("a suspect: " + asks(dropped(0, 0), leases, 1));
            System.out.println("a suspect, and a refusal: " + asksAfterRefusal(dropped(0, 0), leases));
        }

        /** Memory with so many dropped bytes, and room for so many more. */
        private static RegionAllocator dropped(int bytes, int room) {
            RegionAllocator regions =
                    new RegionAllocator(new BareOwner(), BuiltInPolicy.HEAP_VIEW, new Budget(bytes + room));
            if (bytes > 0) {
                Region region = Objects.requireNonNull(regions.allocate(bytes, 1));
                KEPT.add(region.slot(0, bytes));
                regions.drop(region);
            }
            return regions;
        }

        private static RegionAllocator refusedByTheJvm() {
            RegionAllocator regions = new RegionAllocator(new BareOwner(), BuiltInPolicy.DIRECT, new Budget(1 << 30));
            if (regions.allocate(1 << 29, 1) != null) {
                throw new AssertionError("more direct memory than the JVM's limit");
            }
            return regions;
        }

        /** A minute later, by a new pool. */
        private static boolean asks(RegionAllocator regions, Leases leases, int waitedFor) {
            now += TimeUnit.MINUTES.toNanos(1);
            return new Healing(new BareOwner(), regions, leases).askIfNeeded(Counters.NONE_REFUSED, waitedFor, now);
        }

        private static boolean asksAfterRefusal(RegionAllocator regions, Leases leases) {
            now += TimeUnit.MINUTES.toNanos(1);
            return new Healing(new BareOwner(), regions, leases).askIfNeeded(4096, 0, now);
        }
    }

    @Test
    void collectionIsRequestedForCollectableMemory() throws Exception {
        assertEquals("""
            too little: false
            no waiter: false, forgotten: true
            enough: true
            too little for a refused one: false
            enough for a refused one: true
            the cap alone: false
            the JVM: true
            a suspect: true
            a suspect, and a refusal: true
            """, Jvm.run(Cases.class, "-Xmx128m", "-XX:+UseSerialGC"));
    }

    /** For each pool that asks: its line in the log, and whether a collection came with that. */
    static final class Pace {
        private static final Logger LOG = Logger.getLogger("dev.buffers");

        public static void main(String[] args) {
            LOG.setLevel(Level.OFF);
            System.out.println(Healing.LEAST_NANOS);
            long now = System.nanoTime();
            System.out.println(collects(now));
            System.out.println(collects(now + Healing.LEAST_NANOS - 1));
            System.out.println(collects(now + Healing.LEAST_NANOS));
        }

        private static String collects(long now) {
            Leases lost = new Leases();
            lost.suspect = true;
            long before = collections();
            boolean asked =
                    new Healing(new BareOwner(), Cases.dropped(0, 1), lost).askIfNeeded(Counters.NONE_REFUSED, 1, now);
            if (asked) {
                Eventually.holds("a collection", () -> collections() > before);
            }
            return asked + " " + (collections() > before);
        }

        private static long collections() {
            return ManagementFactory.getGarbageCollectorMXBeans().stream()
                    .mapToLong(GarbageCollectorMXBean::getCollectionCount)
                    .sum();
        }
    }

    @Test
    void jvmCollectsOnceInTenSeconds() throws Exception {
        assertEquals("10000000000\ntrue true\nfalse false\ntrue true\n", Jvm.run(Pace.class, "-XX:+UseSerialGC"));
    }

    @Test
    void jvmDoesNotCollectWithExplicitCollectionsDisabled() throws Exception {
        assertEquals(
                "10000000000\nfalse false\nfalse false\nfalse false\n",
                Jvm.run(Pace.class, "-XX:+UseSerialGC", "-XX:+DisableExplicitGC"));
    }

    /** By one pool, whose collections find nothing, and then something. */
    static final class Pauses {
        private static final Logger LOG = Logger.getLogger("dev.buffers");

        public static void main(String[] args) {
            LOG.setLevel(Level.OFF);
            Leases lost = new Leases();
            lost.suspect = true;
            BareOwner owner = new BareOwner();
            Healing healing = new Healing(owner, Cases.dropped(0, 1), lost);
            long now = System.nanoTime();
            long last = now;
            for (int asked = 0; asked < 8; now += Healing.LEAST_NANOS) {
                if (healing.askIfNeeded(Counters.NONE_REFUSED, 1, now)) {
                    System.out.print(TimeUnit.NANOSECONDS.toSeconds(now - last) + " ");
                    last = now;
                    asked++;
                    if (asked == 7) {
                        owner.counters.leaked(0);
                    }
                }
            }
        }
    }

    @Test
    void poolWhoseCollectionsFindNothingAsksLessOften() throws Exception {
        assertEquals("0 10 20 40 80 160 300 10 ", Jvm.run(Pauses.class, "-XX:+UseSerialGC"));
    }
}
