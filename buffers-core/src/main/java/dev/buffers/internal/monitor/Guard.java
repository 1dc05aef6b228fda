package dev.buffers.internal.monitor;

import dev.buffers.BufferPolicy;
import dev.buffers.internal.memory.ArenaMemory;
import dev.buffers.internal.signals.Callbacks;
import dev.buffers.internal.signals.FlightEvents;
import dev.buffers.internal.slab.AcquireTrace;
import dev.buffers.internal.slab.Fill;
import dev.buffers.internal.slab.Slot;
import dev.buffers.internal.slab.SlotConsumer;
import dev.buffers.internal.slab.SlotOwner;
import dev.buffers.internal.slab.SlotState;
import java.lang.ref.PhantomReference;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What {@code guard=on} adds: it finds uses of a buffer after its release, and other misuse, and reports where the buffer was acquired and
 * released.
 *
 * <p>Any thread. Every acquire and release costs a stack trace and a pass over the buffer. Findings go to the log and to Flight Recorder,
 * with no lock held.
 */
public final class Guard {
    /*
     *              acquire                    release                      some time later
     *   lent       a view of its own     -->  poison over the slot    -->  still poison? then the slot may be used again
     *   Java 22+,  memory of its own     -->  arena closed, view dead -->
     *   direct
     *   canaries behind each slot        -->  unchanged?
     *
     * The trace of the tenancy (from one acquire to the last release of the slot) keeps the slot's own view meanwhile. A phantom reference
     * on the lent view shows that a lease was lost. Released slots are kept aside, the oldest leaves first, up to an eighth of the cap;
     * none is kept when an acquire would be refused otherwise. A slot that an I/O still uses stays until its arena can be closed.
     *
     *   field                      written by                  mode             read by
     *   aside, counts              releases, drain             under the lock   under the lock
     *   unlogged                   report; the callback        atomic           report
     *   Tenancy.released, poisoned the end of the tenancy      volatile         any thread that finds the tenancy later
     *   Tenancy.own, before        its begin and its end       plain            the owner of the slot; `before` also reports, in
     *                                                                           a race that may find a shorter history
     */
    private static final int MOST_ASIDE = 4096;
    private static final int REMEMBERED = 4;
    private static final int MOST_LOGGED = 100;

    private final SlotOwner pool;
    private final boolean arenas;
    private final long mostBytesAside;
    private final ArrayDeque<Slot> aside = new ArrayDeque<>();
    private long bytesAside;
    private long minute;
    private int logged;

    /** How many findings are not in the log yet. */
    private final AtomicInteger unlogged = new AtomicInteger();

    public Guard(SlotOwner pool, BufferPolicy policy, long max) {
        this.pool = pool;
        this.arenas = policy.direct() && ArenaMemory.available();
        this.mostBytesAside = max / 8;
    }

    /** What the guard has found. */
    public enum Finding {
        WRITE_AFTER_RELEASE("a buffer was written to after its release"),
        OVERRUN("a buffer was written to past its end, through array()"),
        DOUBLE_RELEASE("a buffer was released twice"),
        USE_AFTER_RELEASE("a buffer was used after its release"),
        RELEASE_AFTER_CLOSE("a buffer was released after its pool was closed"),
        IO_IN_FLIGHT("a buffer was released while an I/O was using it"),
        TWO_THREADS("a ChannelBuffers was used by two threads at once");

        public final String text;

        Finding(String text) {
            this.text = text;
        }
    }

    /** The trace of one tenancy: where its slot was acquired and where it was released. */
    static final class Tenancy extends AcquireTrace {
        private @Nullable ByteBuffer own;
        private final @Nullable ArenaMemory arena;
        private final LentReference lent;
        private @Nullable Tenancy before;
        private volatile @Nullable Throwable released;
        private volatile boolean poisoned;

        private Tenancy(Slot slot, long stamp, ByteBuffer own, ByteBuffer lent, @Nullable ArenaMemory arena) {
            super(stamp, lent.limit());
            this.own = own;
            this.arena = arena;
            this.lent = new LentReference(slot, stamp, lent);
        }
    }

    /** A phantom reference that the collector enqueues when the view lent to a lease is gone. */
    static final class LentReference extends PhantomReference<ByteBuffer> {
        final Slot slot;
        private final long stamp;

        private LentReference(Slot slot, long stamp, ByteBuffer view) {
            super(view, slot.pool().lost);
            this.slot = slot;
            this.stamp = stamp;
        }

        boolean isOf(long state) {
            return SlotState.sameTenancy(stamp, state);
        }
    }

    /** The view to lend in place of the slot's own view, whose limit is the size asked for. */
    public ByteBuffer lend(Slot slot, long stamp, ByteBuffer own) {
        Tenancy before = slot.trace instanceof Tenancy last ? last : null;
        int size = own.limit();
        if (before != null && before.poisoned) {
            checkPoison(slot, own, before);
        }
        ArenaMemory arena = arenas ? new ArenaMemory() : null;
        ByteBuffer view;
        Tenancy tenancy;
        try {
            view = arena == null ? own.duplicate() : arena.allocate(own.capacity());
            tenancy = new Tenancy(slot, stamp, own, view.clear().limit(size), arena);
        } catch (Throwable e) {
            if (arena != null) {
                arena.tryClose(); // no other code would
            }
            throw e;
        }
        tenancy.before = before;
        for (int i = 0; before != null; i++) {
            Tenancy older = before.before;
            before.before = i + 2 < REMEMBERED ? older : null;
            before = older;
        }
        slot.trace = tenancy;
        return view;
    }

    /** Ends what was lent for the tenancy {@code held}; returns the slot's own view, poisoned, or {@code view} if nothing was lent. */
    public ByteBuffer takeBack(Slot slot, ByteBuffer view, long held) {
        if (!(slot.trace instanceof Tenancy tenancy) || !tenancy.isOf(held) || tenancy.own == null) {
            return view;
        }
        ByteBuffer own = tenancy.own;
        tenancy.own = null; // first: if the rest fails, nothing reaches the view, and the slot is lost (Slot, S4)
        tenancy.lent.clear();
        try {
            boolean closed = tenancy.arena == null || tenancy.arena.tryClose();
            tenancy.released = new Throwable(
                    "released here, by thread " + Thread.currentThread().getName());
            if (pool.isClosed()) {
                report(Finding.RELEASE_AFTER_CLOSE, slot, tenancy, tenancy.released);
            }
            checkCanaries(slot, tenancy);
            if (!closed) {
                report(Finding.IO_IN_FLIGHT, slot, tenancy, tenancy.released);
            }
        } catch (OutOfMemoryError e) {
            // The finding is not reported then, but the slot is returned all the same.
        }
        Fill.POISON.write(own);
        tenancy.poisoned = true;
        return own;
    }

    /** Closes the arena of a lost lease: no code can reach its memory any more. */
    void lost(Slot slot) {
        if (slot.trace instanceof Tenancy tenancy && tenancy.arena != null) {
            tenancy.arena.tryClose();
        }
    }

    /** Keeps a free slot aside, and gives {@code sink} the slots that leave for it and may be used again. */
    public void keepAside(Slot slot, SlotConsumer sink) {
        add(slot);
        leave(MOST_ASIDE, mostBytesAside, sink);
    }

    /** Gives {@code sink} all slots that are kept aside, except those that an I/O is still using. */
    public void drain(SlotConsumer sink) {
        leave(0, 0, sink);
    }

    private synchronized int count() {
        return aside.size();
    }

    private synchronized void add(Slot slot) {
        aside.add(slot);
        bytesAside += slot.size();
    }

    /** The oldest slot, if there are more than that; null otherwise. */
    private synchronized @Nullable Slot poll(int most, long mostBytes) {
        Slot slot = aside.size() > most || bytesAside > mostBytes ? aside.poll() : null;
        bytesAside -= slot == null ? 0 : slot.size();
        return slot;
    }

    /** Looks once at each slot beyond {@code most}, with no lock held, since that may close an arena. */
    private void leave(int most, long mostBytes, SlotConsumer sink) {
        for (int left = count(); left > 0; left--) {
            Slot slot = poll(most, mostBytes);
            if (slot == null) {
                return;
            }
            boolean busy = true;
            try {
                busy = slot.trace instanceof Tenancy tenancy && tenancy.arena != null && !tenancy.arena.tryClose();
            } finally {
                if (busy) {
                    add(slot);
                }
            }
            if (!busy) {
                leave(slot, sink);
            }
        }
    }

    private void leave(Slot slot, SlotConsumer sink) {
        // A tenancy of its own, so that no thread revokes the slot during the check.
        ByteBuffer own = slot.beginAndTake();
        if (own != null) {
            try {
                if (slot.trace instanceof Tenancy tenancy && tenancy.poisoned) {
                    checkPoison(slot, own, tenancy);
                }
            } finally { // this tenancy was not counted, so it must not be lost
                slot.endUnused(own);
            }
            sink.accept(slot);
        }
    }

    // ---------------------------------------------------------------- the checks

    private void checkPoison(Slot slot, ByteBuffer own, Tenancy tenancy) {
        int changed = Fill.POISON.firstChanged(own.duplicate().clear());
        if (changed >= 0) {
            Fill.POISON.write(own);
            report(Finding.WRITE_AFTER_RELEASE, slot, tenancy, new Throwable("found here, at offset " + changed));
        }
    }

    private void checkCanaries(Slot slot, Tenancy tenancy) {
        ByteBuffer canaries = slot.slab.canaries(slot.index);
        int at = Fill.CANARY.firstChanged(canaries);
        if (at >= 0) {
            Fill.CANARY.write(canaries);
            report(Finding.OVERRUN, slot, tenancy, new Throwable("found here, " + at + " bytes behind the buffer"));
        }
    }

    /** Makes the error for the use of a lease that has ended. It has the stacks of the acquire and of the release. */
    public IllegalStateException ended(Slot slot, long stamp, boolean release, String message) {
        Tenancy tenancy = slot.trace instanceof Tenancy last ? last : null;
        while (tenancy != null && !tenancy.isOf(stamp)) {
            tenancy = tenancy.before;
        }
        IllegalStateException error = new IllegalStateException(message);
        if (tenancy != null) {
            error.addSuppressed(tenancy.acquired);
            Throwable released = tenancy.released;
            if (released != null) {
                error.addSuppressed(released);
            }
        }
        report(release ? Finding.DOUBLE_RELEASE : Finding.USE_AFTER_RELEASE, slot, tenancy, error);
        return error;
    }

    /** Makes the error for two threads that are in one {@code ChannelBuffers}. */
    public IllegalStateException twoThreads(Thread other) {
        Throwable there = new Throwable("the other one is here, thread " + other.getName());
        there.setStackTrace(other.getStackTrace());
        IllegalStateException error = new IllegalStateException("two threads use one ChannelBuffers at once: "
                + Thread.currentThread().getName() + ", " + other.getName());
        error.addSuppressed(there);
        report(Finding.TWO_THREADS, 0, there, null, error);
        return error;
    }

    private void report(Finding finding, Slot slot, @Nullable Tenancy tenancy, @Nullable Throwable found) {
        report(
                finding,
                slot.size(),
                tenancy == null ? null : tenancy.acquired,
                tenancy == null ? null : tenancy.released,
                found);
    }

    private void report(
            Finding finding,
            int capacity,
            @Nullable Throwable acquired,
            @Nullable Throwable released,
            @Nullable Throwable found) {
        FlightEvents.guardFinding(pool.name(), finding.name(), capacity, text(acquired), text(released), text(found));
        if (mayLog()) {
            String line = finding.text + ": pool=" + pool.name() + ", capacity=" + capacity + "\n" + text(acquired)
                    + "\n" + text(released) + "\n" + text(found);
            unlogged.incrementAndGet();
            pool.call(new Callbacks.Callback("the log", () -> {
                unlogged.decrementAndGet();
                Callbacks.warn(line, null);
            }));
        }
    }

    private synchronized boolean mayLog() {
        long now = System.nanoTime() / TimeUnit.MINUTES.toNanos(1);
        logged = now == minute ? logged + 1 : 1;
        minute = now;
        return logged <= MOST_LOGGED && unlogged.get() < MOST_LOGGED;
    }

    private static String text(@Nullable Throwable at) {
        return at == null
                ? ""
                : at.getMessage()
                        + Arrays.stream(at.getStackTrace())
                                .map(frame -> "\n\tat " + frame)
                                .collect(Collectors.joining());
    }
}
