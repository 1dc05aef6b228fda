// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.AcquireOutcome;
import dev.buffers.BufferPool;
import dev.buffers.ChannelBuffers;
import dev.buffers.Exhaustion;
import dev.buffers.PoolExhaustedException;
import dev.buffers.PoolSettings;
import dev.buffers.PoolStats;
import dev.buffers.ReleaseOutcome;
import dev.buffers.internal.memory.DirectLimit;
import dev.buffers.internal.settings.SettingKey;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.InvalidMarkException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * One pool and the model of it: the state that all operations of a {@link ModelRun} need, and the checks after each of them. The daemon is
 * held in the meantime, so that nothing moves unless the run moves it, or a thread that waits.
 */
final class ModelWorld {
    private static final Set<AcquireOutcome> SERVED = EnumSet.complementOf(EnumSet.of(AcquireOutcome.REJECTED));

    final Combination combination;
    final ReferenceModel model;
    final BufferPool pool;
    private final Kind kind;
    private final Exhaustion.Kind atLimit;
    private final boolean guard;
    private final boolean zeroed;
    private final boolean prompt;

    /** The channels in use, which may keep slots that no other caller can reach. */
    List<ChannelBuffers> channels = List.of();

    /** Whether the pool has been closed. */
    boolean closed;

    /** Whether a thread waits in the meantime, so that figures may move by themselves. */
    boolean waits;

    /**
     * How many wake-ups have not been called: asked after the look at the figures, which may call some for memory that the collector took.
     */
    IntSupplier wakeUps = () -> 0;

    private PoolStats seen;
    private long room;
    private int stamp;

    ModelWorld(Combination combination, ReferenceModel model, BufferPool pool) {
        this.combination = combination;
        this.model = model;
        this.pool = pool;
        this.kind = combination.kind();
        this.atLimit = combination.value(SettingKey.AT_LIMIT).kind();
        this.prompt = combination.value(SettingKey.FREE) == PoolSettings.Freeing.PROMPT;
        this.guard = combination.value(SettingKey.GUARD);
        this.zeroed = switch (combination.value(SettingKey.ZERO)) {
            case NEVER -> false;
            case ACQUIRE -> true;
            case RELEASE -> !guard && !kind.policy().equals(Kind.OWN); // memory of guard is poisoned, own comes dirty
        };
        look();
    }

    /** How an acquire is made, which says when it may be refused. */
    enum How {
        PLAINLY,
        /** Plainly by a channel, which alone knows the size: at most the given one. */
        BY_CHANNEL,
        TRYING,
        PATIENTLY
    }

    // ---------------------------------------------------------------- acquires

    /** The result of the call; null when it was refused, rightly given the state before. */
    <T> T attempt(How how, int size, ChannelBuffers by, Supplier<T> call) {
        String wrong = whyNotRefused(how, size, by);
        T got = null;
        boolean thrown = false;
        try {
            got = call.get();
        } catch (PoolExhaustedException e) {
            thrown = true;
            assertTrue(how != How.TRYING || !fitsCap(size), "tryAcquire never throws for the cap");
        }
        assertTrue(got != null || thrown || how != How.TRYING || fitsCap(size), "null for what can never be had");
        if (got == null) {
            model.rejected++;
            assertNull(wrong, () -> "refused: size=" + size + ", but " + wrong + "; before: " + seen);
        }
        return got;
    }

    /** Why an acquire of this size must not be refused now; null when it may be. {@code by}: the channel that acquires, or null. */
    String whyNotRefused(How how, int size, ChannelBuffers by) {
        boolean plainly = how == How.PLAINLY || how == How.BY_CHANNEL;
        if (plainly && atLimit == Exhaustion.Kind.UNPOOLED) {
            return "at-limit=unpooled refuses no size";
        }
        boolean ofClass = isOfClass(size);
        long need = need(size);
        boolean queues = how == How.PATIENTLY || plainly && atLimit == Exhaustion.Kind.WAIT;
        if (waits || need > seen.maxBytes() || queues && seen.waiters() > 0) {
            return null;
        }
        boolean inJvm = !kind.isDirect() || prompt || DirectLimit.used() + need <= DirectLimit.limit();
        long kept = Peek.keptForTurn(pool, (int) need);
        long left = room - kept;
        if (need <= left && inJvm) {
            return "the cap has room: " + left;
        }
        if (how == How.BY_CHANNEL || !ofClass || seen.waiters() > 0 || seen.lostBytes() > 0) {
            return null;
        }
        for (PoolStats.SizeClass other : seen.sizeClasses()) {
            long reachable = other.cached() - keptByChannels(other.size(), by);
            if (other.size() == need && reachable > 0) {
                return "slots of its class are free: " + reachable;
            }
            boolean unused = other.leased() == 0 && other.cached() > 0 && reachable == other.cached();
            if (kind.isViews() && other.size() >= need && unused && kept == 0) {
                return "a whole slab of another class is free: " + other;
            }
        }
        return null;
    }

    private boolean isOfClass(int size) {
        return kind.isPooled() && size <= model.maxSize();
    }

    private long need(int size) {
        return isOfClass(size) ? model.capacityFor(size) : size;
    }

    /** Whether the cap allows this size at all. */
    boolean fitsCap(int size) {
        return need(size) <= seen.maxBytes();
    }

    private long keptByChannels(int size, ChannelBuffers except) {
        long kept = 0;
        for (ChannelBuffers channel : channels) {
            kept += channel == except
                    ? 0
                    : Peek.kept(channel).stream()
                            .filter(slot -> slot.size() == size)
                            .count();
        }
        return kept;
    }

    /**
     * Memory has just been acquired, with this buffer: checks the buffer, and its content from {@code from} on. {@code passed} others were
     * acquired and given back on the way.
     */
    ReferenceModel.Tenancy begin(ByteBuffer buffer, int from, int passed) {
        boolean beyond = atLimit == Exhaustion.Kind.UNPOOLED && passed == 0 && isBeyond(pool.stats());
        assertEquals(ByteOrder.BIG_ENDIAN, buffer.order());
        assertTrue(guard && beyond || buffer.isDirect() == (kind.isDirect() && !beyond), buffer::toString);
        assertUnmarked(buffer);
        if (buffer.hasArray() && !kind.isViews()) {
            assertEquals(buffer.capacity(), buffer.array().length);
        }
        byte[] bytes = new byte[buffer.capacity()];
        buffer.duplicate().clear().get(bytes);
        if (zeroed) {
            int dirty = from;
            while (dirty < bytes.length && bytes[dirty] == 0) {
                dirty++;
            }
            assertEquals(bytes.length, dirty, "bytes of an earlier holder");
        }
        if (kind.isPooled() && !beyond && !model.isClass(bytes.length)) {
            model.oversize++;
        }
        model.acquires += passed;
        model.recycled += passed;
        return model.begin(bytes, !beyond);
    }

    /** How many acquires there were since the last check. */
    int acquired() {
        return (int) (served(pool.stats()) - served(seen));
    }

    /** Whether the memory acquired since the last look is beyond the cap: the policy unpooled counts it in no other way. */
    private boolean isBeyond(PoolStats now) {
        return kind.isPooled()
                ? now.acquires(AcquireOutcome.UNPOOLED) > seen.acquires(AcquireOutcome.UNPOOLED)
                : now.leasedBytes() == model.leasedBytes; // the model does not have it yet
    }

    /** Whether {@link #isBeyond} can tell while another thread waits, and may be served at any time. */
    boolean canTellBeyond() {
        return kind.isPooled() || atLimit != Exhaustion.Kind.UNPOOLED;
    }

    /** Checks the capacity that a size gets. {@code kept}: a buffer that came back to a channel may be larger. */
    void checkCapacity(int size, int capacity, boolean kept) {
        boolean beyond = capacity == size && atLimit == Exhaustion.Kind.UNPOOLED;
        if (!kind.isPooled() || beyond) {
            assertEquals(size, capacity);
        } else if (size > model.maxSize()) {
            assertTrue(capacity >= size, () -> "capacity=" + capacity + " for size=" + size);
        } else if (!kept) {
            assertEquals(model.capacityFor(size), capacity);
        } else {
            boolean fits = capacity >= size
                    && (capacity == model.capacityFor(size) || capacity / 2 <= Math.max(size, model.capacityFor(0)));
            assertTrue(fits && model.isClass(capacity), () -> "capacity=" + capacity + " for size=" + size);
        }
    }

    static void assertUnmarked(ByteBuffer buffer) {
        assertThrows(InvalidMarkException.class, () -> buffer.duplicate().reset(), "a mark of an earlier holder");
    }

    /** The bytes for the next write. */
    byte[] stamped(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (stamp + i);
        }
        stamp += 37;
        return bytes;
    }

    // ---------------------------------------------------------------- after each operation

    /** The figures are the model's, every byte is accounted for, and nothing that is counted goes back. */
    void check() {
        PoolStats before = seen;
        look();
        PoolStats now = seen;
        assertTrue(now.reservedBytes() + now.droppedBytes() <= now.maxBytes(), () -> "I4: " + now);
        assertTrue(
                Arrays.stream(AcquireOutcome.values()).allMatch(it -> now.acquires(it) >= before.acquires(it))
                        && Arrays.stream(ReleaseOutcome.values())
                                .allMatch(it -> now.releases(it) >= before.releases(it))
                        && now.trimmedBytes() >= before.trimmedBytes(),
                () -> "counters go back: " + before + ", " + now);
        assertEquals(0, now.leaks(), () -> "leaks: " + now);
        if (!waits) {
            exactly();
        }
    }

    /** While no thread moves: every figure is as the model says. */
    private void exactly() {
        PoolStats now = seen;
        assertEquals(
                now.reservedBytes(),
                now.leasedBytes() + now.cachedBytes() + now.uncarvedBytes() + now.lostBytes(),
                () -> "I1: " + now);
        assertEquals(expected(), figures(now), () -> "figures: " + now);
    }

    private void look() {
        seen = pool.stats();
        room = Peek.room(pool);
    }

    private String expected() {
        boolean exact = kind.isPooled() && atLimit != Exhaustion.Kind.UNPOOLED;
        return "leases=" + model.leases + ", leasedBytes=" + model.leasedBytes + ", acquires=" + model.acquires
                + ", rejected="
                + model.rejected + ", recycled=" + model.recycled + ", discarded=" + model.discarded + ", invalid="
                + model.invalid
                + ", waiters=" + wakeUps.getAsInt() + (exact ? ", oversize=" + model.oversize + ", unpooled=0" : "")
                + (model.discarded == 0 ? ", lost=0" : "");
    }

    private String figures(PoolStats now) {
        boolean exact = kind.isPooled() && atLimit != Exhaustion.Kind.UNPOOLED;
        return "leases=" + now.leases() + ", leasedBytes=" + now.leasedBytes() + ", acquires=" + served(now)
                + ", rejected="
                + now.acquires(AcquireOutcome.REJECTED) + ", recycled=" + now.releases(ReleaseOutcome.RECYCLED)
                + ", discarded=" + now.releases(ReleaseOutcome.DISCARDED) + ", invalid="
                + now.releases(ReleaseOutcome.INVALID) + ", waiters=" + now.waiters()
                + (exact
                        ? ", oversize=" + now.acquires(AcquireOutcome.OVERSIZE) + ", unpooled="
                                + now.acquires(AcquireOutcome.UNPOOLED)
                        : "")
                + (model.discarded == 0 ? ", lost=" + now.lostBytes() : "");
    }

    private static long served(PoolStats stats) {
        return SERVED.stream().mapToLong(stats::acquires).sum();
    }
}
