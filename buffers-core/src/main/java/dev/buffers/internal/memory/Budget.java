// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.memory;

import dev.buffers.PoolSettings;
import dev.buffers.internal.failsafe.IntrusiveList;
import java.lang.ref.WeakReference;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Bytes charged against a cap: the only place that decides whether more memory may be allocated. It also closes the arenas of dropped
 * regions, since their bytes are credited then.
 *
 * <p>Any thread, under one monitor.
 */
public final class Budget {
    /*
     *   tryCharge --> allocated, track --> drop --+-- an arena: `closing` --> collect closes it --> credited
     *       |                            ^        |     `-- an I/O still uses it: it stays there, and is tried again
     *       `--> allocation fails: credit|        `-- else: `uncollected` --> the collector takes it --> a look finds that --> credited
     *                                    `-- adopt ------------'
     *
     * B1  0 <= charged <= max at every instant: a charge comes before its allocation. Its credit follows when the memory is gone or was
     *     never allocated; for plain heap memory, when its lease has ended.
     * B2  The bytes of a footprint are credited once: by the thread that takes it out of `tracked`, `uncollected` or `closing`, before it
     *     leaves the monitor. It is in one of them, by a link that was made with it, so neither to drop a region nor to credit it can fail
     *     for lack of heap. Nothing else refers to a footprint that was credited, so the cap bounds their number, too.
     * B3  Nothing blocks under the monitor. A RegionAllocator uses it too.
     *     collect, end and a failed allocation close arenas, which takes long, since every thread of the JVM must answer; they are called
     *     with no lock held. Of two threads that close one arena the second waits for the first, and credits what the first has not credited
     *     yet: no acquire is refused for memory that another thread is closing.
     * B4  The collector clears a footprint at the moment at which it takes the memory. No queue tells of that: on Java 21 a lock guards a
     *     queue, and a thread of the JVM, which enqueues the references of all code, waits for it. So the footprints are looked at. All of
     *     `uncollected`, once for each collection (CollectionSign): by creditTaken, which an acquire calls before it is refused. Both lists,
     *     by creditAll after a collection that a pool has asked for. LOOKS_A_SECOND of each list in each second, by the tick: that finds also
     *     the memory of a pool that is gone, and what the sign has missed.
     * B5  The footprints of a pool that is gone are dropped by that look of the tick: only a collection gives their memory back.
     *
     * B6  A reader without the monitor misses no bytes on their way from dropped memory to room: a writer credits them before it takes them
     *     out of `collectable` or clears `hasClosing`, and a reader reads the room last.
     *
     * The monitor guards all fields but `sign`. `charged`, `collectable` and `hasClosing` are volatile too, and also read without it.
     */
    private static final Budget[] SHARED = new Budget[2];
    private static final int LOOKS = 256;
    private static final int LOOKS_A_SECOND = 16 * LOOKS;
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final long max;
    private volatile long charged;

    /** Bytes of the footprints in {@code uncollected}. */
    private volatile long collectable;

    /** Whether {@code closing} has any. */
    private volatile boolean hasClosing;

    private long gone;

    private final CollectionSign sign = new CollectionSign();

    /** What its pools lack. */
    public final Need need = new Need();

    /** When the tick looked last. */
    private long lookedAt = System.nanoTime() - SECOND;

    /** The footprints of all charged memory. The budget holds them, so the end of a region is noticed even when its pool is gone. */
    private final IntrusiveList<Footprint> tracked = new IntrusiveList<>();

    /** The dropped memory that only a collection gives back. */
    private final IntrusiveList<Footprint> uncollected = new IntrusiveList<>();

    /** The dropped memory whose arena is not closed yet. */
    private final IntrusiveList<Footprint> closing = new IntrusiveList<>();

    public Budget(long max) {
        this.max = max;
    }

    /** The budget of a pool with these settings. */
    public static Budget of(PoolSettings settings) {
        return settings.sharesDefaultBudget()
                ? shared(settings.policy().direct(), settings.maxBytes())
                : new Budget(settings.maxBytes());
    }

    /**
     * The budget of all pools of this JVM that set no {@code max} of their own: one per kind of memory, so that two pools cannot promise
     * the same bytes. The first such pool fixes its size.
     */
    static Budget shared(boolean direct, long max) {
        synchronized (SHARED) {
            int kind = direct ? 1 : 0;
            if (SHARED[kind] == null) {
                SHARED[kind] = new Budget(max);
            }
            return SHARED[kind];
        }
    }

    /** Charges the bytes if they fit. Looks for no memory that is gone: {@link #collect} does. */
    public synchronized boolean tryCharge(long bytes) {
        return charge(bytes);
    }

    /** The same, with the monitor held. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // under the monitor
    boolean charge(long bytes) {
        boolean fits = bytes <= max - charged;
        charged += fits ? bytes : 0;
        return fits;
    }

    public synchronized void credit(long bytes) {
        charged -= bytes;
    }

    /** Called when a region was allocated: its charge ends when its memory is gone. */
    public synchronized void track(Footprint it) {
        tracked.add(it.charged);
    }

    /** Called when the pool drops the memory, or the collector has taken the buffer of an arena; false when it was dropped or is gone. */
    synchronized boolean drop(Footprint it) {
        if (!tracked.has(it.charged)) {
            return false;
        } else if (it.isPrompt()) {
            closing.add(it.charged);
            hasClosing = true;
        } else {
            uncollected.add(it.charged);
            collectable += it.bytes;
        }
        return true;
    }

    /** Called when the pool uses dropped memory again. */
    synchronized void adopt(Footprint it) {
        if (uncollected.has(it.charged)) {
            collectable -= it.bytes;
            tracked.add(it.charged);
        }
    }

    /**
     * Ends a charge now: closes its arena, or leaves plain memory to the collector. False while an I/O is using the arena: once its region is
     * dropped, {@link #collect} tries again. True also when the charge had ended already: {@link #collect} may have closed the arena, since the
     * collector may have taken its buffer before the lease ends. Called with no lock held if it has an arena.
     */
    public boolean end(Footprint it) {
        if (it.isPrompt() && !it.tryClose()) {
            return false;
        }
        ended(it);
        return true;
    }

    /**
     * Makes room for {@code wanted} bytes, if there is none: credits the dropped memory, of any pool, that the collector has taken, and closes
     * arenas of dropped regions. Returns how many bytes have gone. Called with no lock held.
     */
    public long collect(long wanted) {
        return collect(wanted, Long.MAX_VALUE);
    }

    /** As above, but begins no further arena after {@code nanos} nanoseconds. */
    long collect(long wanted, long nanos) {
        long begin = System.nanoTime();
        long bytes = room() < wanted ? creditTaken() : 0;
        Footprint next;
        for (Footprint it = room() < wanted && hasClosing ? closingAfter(null) : null;
                it != null && room() < wanted && System.nanoTime() - begin < nanos;
                it = next) {
            next = closingAfter(it);
            bytes += it.tryClose() && ended(it) ? it.bytes : 0;
        }
        return bytes;
    }

    /** The next one whose arena is to be closed; the first one after null, or if another thread has closed {@code it}; null for none. */
    private synchronized @Nullable Footprint closingAfter(@Nullable Footprint it) {
        IntrusiveList.Link<Footprint> next =
                it != null && closing.has(it.charged) ? it.charged.next() : closing.first();
        return next == null ? null : next.it;
    }

    /**
     * Credits the dropped memory, of any pool, that the collector has taken; returns how many bytes. After a collection, it takes a time in
     * proportion to the dropped parts, with the monitor held for some of them at a time.
     */
    public long creditTaken() {
        if (!sign.isSeen()) {
            return 0;
        }
        WeakReference<Object> next = CollectionSign.next();
        long bytes = look(uncollected, Integer.MAX_VALUE);
        sign.set(next);
        return bytes;
    }

    /** Called by the tick, at any time: credits what the collector has taken. Returns how many bytes. */
    public long creditInTurn(long now) {
        long bytes = creditTaken();
        return isDue(now) ? bytes + look(uncollected, LOOKS_A_SECOND) + look(tracked, LOOKS_A_SECOND) : bytes;
    }

    private synchronized boolean isDue(long now) {
        boolean due = now - lookedAt >= SECOND;
        lookedAt = due ? now : lookedAt;
        return due;
    }

    /** Called after a collection: credits all that it has taken. Takes a time in proportion to the parts. */
    public long creditAll() {
        return look(uncollected, Integer.MAX_VALUE) + look(tracked, Integer.MAX_VALUE);
    }

    private long look(IntrusiveList<Footprint> parts, int most) {
        long bytes = 0;
        for (int left = Math.min(most, size(parts)); left > 0; left -= LOOKS) {
            bytes += lookAt(parts, Math.min(left, LOOKS));
        }
        return bytes;
    }

    private synchronized int size(IntrusiveList<Footprint> parts) {
        return parts.size();
    }

    /** Looks at so many parts, which come last from then on: all threads together look at each part before they look at one again. */
    private synchronized long lookAt(IntrusiveList<Footprint> parts, int looks) {
        long bytes = 0;
        Footprint it = parts.peek();
        for (int left = looks; left > 0 && it != null; left--) {
            parts.add(it.charged);
            boolean isTaken = it.refersTo(null);
            if (it.isPrompt() ? isTaken : it.owner.get() == null) {
                drop(it);
            }
            bytes += isTaken && !it.isPrompt() && ended(it) ? it.bytes : 0;
            it = parts.peek();
        }
        return bytes;
    }

    private boolean ended(Footprint it) {
        it.clear();
        synchronized (this) {
            boolean collected = uncollected.has(it.charged);
            if (!it.charged.leave()) {
                return false;
            }
            Footprint.Owner owner = it.owner.get();
            if (owner != null) {
                owner.gone(it);
            }
            gone++;
            credit(it.bytes);
            collectable -= collected ? it.bytes : 0; // after the credit, like the next line (B6)
            hasClosing = !closing.isEmpty();
        }
        return true;
    }

    /** Whether no memory is charged here that can still go. */
    public synchronized boolean isEmpty() {
        return tracked.isEmpty() && uncollected.isEmpty() && closing.isEmpty();
    }

    /** Bytes of the dropped memory, of any pool, that only a collection gives back. */
    public long collectable() {
        return collectable;
    }

    /** How many footprints were credited so far. */
    public synchronized long gone() {
        return gone;
    }

    public long room() {
        return max - charged;
    }

    public long charged() {
        return charged;
    }

    public long max() {
        return max;
    }
}
