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
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/** In separate JVMs, because all pools of a JVM share the pace of collections. The test controls the time. */
class HealingTest {
    /** No collection takes it, and its level. */
    private static final Logger LOG = Logger.getLogger("dev.buffers");

    /** Leases of which one may be lost if the test says so. */
    private static final class Leases implements Healing.Leases {
        boolean suspect;
        boolean forgotten;

        Leases(boolean suspect) {
            this.suspect = suspect;
        }

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
            LOG.setLevel(Level.OFF);
            Leases leases = new Leases(false);
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
            return ended(new Healing(new BareOwner(), regions, leases)
                    .askIfNeeded(Counters.NONE_REFUSED, waitedFor, later()));
        }

        private static boolean asksAfterRefusal(RegionAllocator regions, Leases leases) {
            return ended(new Healing(new BareOwner(), regions, leases).askIfNeeded(4096, 0, later()));
        }

        private static long later() {
            now += TimeUnit.MINUTES.toNanos(1);
            return now;
        }
    }

    /** The same, once the collection has ended that was begun. */
    private static boolean ended(boolean asked) {
        Eventually.holds("the collection ends", () -> !Healing.PACE.isRunning());
        return asked;
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

    /** Whether a pool asks, and whether a collection came with that. */
    static final class Asked {
        public static void main(String[] args) {
            LOG.setLevel(Level.OFF);
            WeakReference<Object> collected = new WeakReference<>(new Object());
            boolean asked = ended(new Healing(new BareOwner(), Cases.dropped(0, 1), new Leases(true))
                    .askIfNeeded(Counters.NONE_REFUSED, 1, System.nanoTime()));
            System.out.println(asked + " " + (collected.get() == null));
        }
    }

    @Test
    void jvmCollectsWhenAsked() throws Exception {
        assertEquals("true true\n", Jvm.run(Asked.class, "-XX:+UseSerialGC"));
    }

    @Test
    void jvmCollectsWhenAskedWithoutModuleOfBeans() throws Exception {
        String limited = "--limit-modules=java.base,java.logging";
        assertEquals("true true\n", Jvm.run(Asked.class, "-XX:+UseSerialGC", limited));
    }

    @Test
    void jvmDoesNotCollectWithExplicitCollectionsDisabled() throws Exception {
        assertEquals("false false\n", Jvm.run(Asked.class, "-XX:+UseSerialGC", "-XX:+DisableExplicitGC"));
    }

    /** Two pools of one budget; the lost leases are in the first, and the second is refused. */
    static final class Shared {
        public static void main(String[] args) {
            LOG.setLevel(Level.OFF);
            Leases lost = new Leases(true);
            RegionAllocator regions = Cases.dropped(0, 4096);
            BareOwner first = new BareOwner();
            Healing one = new Healing(first, regions, lost);
            Healing other = new Healing(
                    new BareOwner(),
                    new RegionAllocator(first, BuiltInPolicy.HEAP_VIEW, regions.budget),
                    new Leases(false));
            long now = System.nanoTime();
            System.out.println("nothing is needed: " + ended(one.askIfNeeded(Counters.NONE_REFUSED, 0, now)));
            System.out.println("the refused: " + ended(other.askIfNeeded(5000, 0, now)));
            System.out.println("the other: " + ended(one.askIfNeeded(Counters.NONE_REFUSED, 0, now)));
            now += TimeUnit.MINUTES.toNanos(1);
            System.out.println("later: " + ended(one.askIfNeeded(Counters.NONE_REFUSED, 0, now)));
        }
    }

    @Test
    void poolsOfOneBudgetAskForEachOther() throws Exception {
        assertEquals("""
            nothing is needed: false
            the refused: false
            the other: true
            later: false
            """, Jvm.run(Shared.class, "-XX:+UseSerialGC"));
    }

    /** A collection finds lost leases, and the pool has dropped their memory. */
    static final class Losses {
        public static void main(String[] args) {
            LOG.setLevel(Level.OFF);
            Leases lost = new Leases(true);
            BareOwner owner = new BareOwner();
            Healing healing = new Healing(owner, Cases.dropped(4096, 0), lost);
            long now = System.nanoTime();
            System.out.println("a refusal: " + ended(healing.askIfNeeded(1, 0, now)));
            now += TimeUnit.MILLISECONDS.toNanos(1);
            System.out.println("nothing is found: " + ended(healing.askIfNeeded(1, 0, now)));
            owner.counters.leaked(0);
            System.out.println("a loss is found: " + ended(healing.askIfNeeded(Counters.NONE_REFUSED, 0, now))
                    + ", forgotten: " + lost.forgotten);
            owner.counters.leaked(0);
            System.out.println("another one: " + ended(healing.askIfNeeded(1, 0, now)));
            now += TimeUnit.MINUTES.toNanos(1);
            owner.counters.leaked(0);
            System.out.println(
                    "a loss that no pool lacks: " + ended(healing.askIfNeeded(Counters.NONE_REFUSED, 0, now)));
        }
    }

    @Test
    void collectionThatFindsLossIsFollowedAtOnce() throws Exception {
        assertEquals("""
            a refusal: true
            nothing is found: false
            a loss is found: true, forgotten: true
            another one: false
            a loss that no pool lacks: false
            """, Jvm.run(Losses.class, "-XX:+UseSerialGC"));
    }
}
