package dev.buffers.internal.monitor;

import dev.buffers.BufferPolicy;
import dev.buffers.internal.failsafe.AllocationFreeLock;
import dev.buffers.internal.memory.ArenaMemory;
import dev.buffers.internal.signals.Callbacks;
import dev.buffers.internal.signals.FlightEvents;
import dev.buffers.internal.slab.AcquireTrace;
import dev.buffers.internal.slab.Canaries;
import dev.buffers.internal.slab.Slot;
import dev.buffers.internal.slab.SlotConsumer;
import dev.buffers.internal.slab.SlotOwner;
import dev.buffers.internal.slab.SlotState;
import java.lang.ref.PhantomReference;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What {@code guard=on} adds: it hunts those who use a buffer that is not theirs any more, and names them.
 *
 * <p>Any thread. Every acquire and release costs a stack, and a pass over the buffer; findings go to the log and to Flight
 * Recorder, with no lock held.
 */
public final class Guard {
    /*
     *            acquire                    release                      some time later
     *   lent     a view of its own     -->  poison over the slot    -->  still poison? then it may be used again
     *   22, dir. memory of its own     -->  arena closed, view dead -->
     *   Canaries behind every slot     -->  still whole?
     *
     * The slot's own view stays with the tenancy's record meanwhile. What tells that a lease was lost is here a phantom reference on
     * the view that was lent. Slots that came back are kept aside, the oldest leaves first, as many as an eighth of
     * the cap holds, or none when an acquire would be refused otherwise.
     *
     *   field                      written by                  mode             read by
     *   aside, inFlight, counts    who releases, tick, drain   under the lock   under the lock
     *   unlogged                   who finds; the callback     atomic           who finds
     *   Tenancy.released, poisoned who ends the tenancy        volatile         whoever meets the tenancy later
     *   Tenancy.own, before        who begins, ends it         plain            who owns the slot; `before` also reports, in a race that
     *                                                                           may find a shorter history
     */
    private static final byte POISON = (byte) 0xDB;
    private static final byte[] POISONS = new byte[4096];
    private static final int MOST_ASIDE = 4096;
    private static final int REMEMBERED = 4;
    private static final int MOST_LOGGED = 100;

    private final SlotOwner pool;
    private final boolean arenas;
    private final long mostBytesAside;
    private final AllocationFreeLock lock = new AllocationFreeLock();
    private final ArrayDeque<Slot> aside = new ArrayDeque<>();
    private final ArrayDeque<Slot> inFlight = new ArrayDeque<>();
    private long bytesAside;
    private long minute;
    private int logged;

    /** Findings of the tick that the log has not been told of yet. */
    private final AtomicInteger unlogged = new AtomicInteger();

    static {
        Arrays.fill(POISONS, POISON);
    }

    public Guard(SlotOwner pool, BufferPolicy policy, long max) {
        this.pool = pool;
        this.arenas = policy.direct() && ArenaMemory.available();
        this.mostBytesAside = max / 8;
    }

    /** What was done that must not be. */
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

    /** All about one tenancy: who acquired the slot and who released it. */
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

    /** Tells that the view which a lease was given is gone. */
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

    /** The view to lend in place of the slot's own, whose limit is the size asked for. */
    public ByteBuffer lend(Slot slot, long stamp, ByteBuffer own) {
        Tenancy before = slot.trace instanceof Tenancy last ? last : null;
        int size = own.limit();
        if (before != null && before.poisoned) {
            checkPoison(slot, own, before);
        }
        ArenaMemory arena = arenas ? ArenaMemory.allocate(own.capacity()) : null;
        ByteBuffer view = arena == null ? own.duplicate() : arena.buffer();
        Tenancy tenancy;
        try {
            tenancy = new Tenancy(slot, stamp, own, view.clear().limit(size), arena);
        } catch (OutOfMemoryError e) {
            if (arena != null) {
                arena.tryClose(); // nobody else would
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

    /** The tenancy {@code held} has ended: the slot's own view, its bytes poisoned. {@code view} when nothing was lent. */
    public ByteBuffer takeBack(Slot slot, ByteBuffer view, long held) {
        ByteBuffer own = slot.trace instanceof Tenancy last && last.isOf(held) ? last.own : null;
        if (own == null || !(slot.trace instanceof Tenancy tenancy)) {
            return view;
        }
        tenancy.own =
                null; // first: should the rest come to no end, nothing reaches it, and the slot is lost (Slot, S4)
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
            // Nobody is named then, and the slot comes back all the same.
        }
        poison(own);
        tenancy.poisoned = true;
        return own;
    }

    /** A lease was lost, so that nobody can reach what it was lent. */
    void lost(Slot slot) {
        if (slot.trace instanceof Tenancy tenancy && tenancy.arena != null) {
            tenancy.arena.tryClose();
        }
    }

    /** Keeps a free slot aside. What may be used again for that is handed to {@code sink}. */
    public void keepAside(Slot slot, SlotConsumer sink) {
        List<Slot> leaving = new ArrayList<>();
        boolean busy = isInFlight(slot);
        if (busy) {
            addInFlight(slot);
        }
        lock.lock();
        try {
            if (!busy) {
                aside.add(slot);
                bytesAside += slot.size();
            }
            while (aside.size() > MOST_ASIDE || bytesAside > mostBytesAside && !aside.isEmpty()) {
                leaving.add(pollAside());
            }
        } finally {
            lock.unlock();
        }
        leave(leaving, sink);
    }

    /** Gives up all that is kept aside, apart from what an I/O is still using. */
    public void drain(SlotConsumer sink) {
        List<Slot> leaving = new ArrayList<>();
        lock.lock();
        try {
            while (!aside.isEmpty()) {
                leaving.add(pollAside());
            }
        } finally {
            lock.unlock();
        }
        landed(leaving);
        leave(leaving, sink);
    }

    /** By the tick: what an I/O was using, and is no more. */
    public void tick(SlotConsumer sink) {
        List<Slot> leaving = new ArrayList<>();
        landed(leaving);
        leave(leaving, sink);
    }

    private Slot pollAside() {
        Slot slot = aside.remove();
        bytesAside -= slot.size();
        return slot;
    }

    private void landed(List<Slot> into) {
        for (int left = countInFlight(); left > 0; left--) {
            Slot slot = pollInFlight();
            boolean landed = false;
            try {
                // With no lock held, since it closes an arena, and by one thread, which has the slot alone.
                if (slot != null && !isInFlight(slot)) {
                    into.add(slot);
                    landed = true;
                }
            } finally {
                if (slot != null && !landed) {
                    addInFlight(slot);
                }
            }
        }
    }

    private int countInFlight() {
        lock.lock();
        try {
            return inFlight.size();
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Slot pollInFlight() {
        lock.lock();
        try {
            return inFlight.poll();
        } finally {
            lock.unlock();
        }
    }

    private void addInFlight(Slot slot) {
        lock.lock();
        try {
            inFlight.add(slot);
        } finally {
            lock.unlock();
        }
    }

    private static boolean isInFlight(Slot slot) {
        return slot.trace instanceof Tenancy tenancy && tenancy.arena != null && !tenancy.arena.tryClose();
    }

    private void leave(List<Slot> slots, SlotConsumer sink) {
        for (Slot slot : slots) {
            // A tenancy of its own, so that nobody revokes the slot from under the check.
            ByteBuffer own = slot.beginAndTake();
            if (own != null) {
                try {
                    if (slot.trace instanceof Tenancy tenancy && tenancy.poisoned) {
                        checkPoison(slot, own, tenancy);
                    }
                } finally { // this tenancy was not counted, so it must not be lost
                    slot.endUnused(own);
                }
                sink.accept(new Slot[] {slot}, 1);
            }
        }
    }

    // ---------------------------------------------------------------- what is looked for

    private void checkPoison(Slot slot, ByteBuffer own, Tenancy tenancy) {
        ByteBuffer bytes = own.duplicate().clear();
        for (int i = 0; i < bytes.capacity(); i++) {
            if (bytes.get(i) != POISON) {
                poison(own);
                report(Finding.WRITE_AFTER_RELEASE, slot, tenancy, new Throwable("found here, at offset " + i));
                return;
            }
        }
    }

    private void checkCanaries(Slot slot, Tenancy tenancy) {
        ByteBuffer canaries = slot.slab.canaries(slot.index);
        int changed = Canaries.firstChanged(canaries);
        if (changed >= 0) {
            Canaries.lay(canaries);
            report(
                    Finding.OVERRUN,
                    slot,
                    tenancy,
                    new Throwable("found here, " + changed + " bytes behind the buffer"));
        }
    }

    /** Allocates nothing. */
    private static void poison(ByteBuffer bytes) {
        bytes.clear();
        for (int at = 0; at < bytes.capacity(); at += POISONS.length) {
            bytes.put(at, POISONS, 0, Math.min(POISONS.length, bytes.capacity() - at));
        }
    }

    /** A lease that has ended was used: the error, which names who acquired and who released it. */
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

    /** Two threads are in one {@code ChannelBuffers}. */
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

    private boolean mayLog() {
        lock.lock();
        try {
            long now = System.nanoTime() / TimeUnit.MINUTES.toNanos(1);
            logged = now == minute ? logged + 1 : 1;
            minute = now;
            return logged <= MOST_LOGGED && unlogged.get() < MOST_LOGGED;
        } finally {
            lock.unlock();
        }
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
