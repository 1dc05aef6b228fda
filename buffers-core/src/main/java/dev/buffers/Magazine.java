package dev.buffers;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Free slots of one size class that one thread uses without any atomic step: two batches, one in use and one that is
 * either full or empty (Bonwick and Adams, USENIX 2001), so that a batch changes hands with the depot at most once in a
 * batch of acquires or releases.
 *
 * <p>Its owner alone: the thread, or who has claimed the stripe. The counters may be read by any thread.
 */
final class Magazine {
    /*
     *   loaded  [s s s s . . . .]  taken from and given to at `count`
     *   spare   [s s s s s s s s]  or all empty
     *
     * Elements above `count` are stale: an array is handed on either full or as empty, and giving back the slot that was
     * just taken finds it still there, which saves the collector's write barrier.
     *
     * A magazine with no grant has arrays of length 0: it counts, and always misses.
     *
     *   field                       written by  mode     read by      mode
     *   arrays, count               owner       plain    owner        plain
     *   hits, channelHits, releases owner       plain    who adds up  opaque: recent, never torn, at quiescence exact
     */
    static final Slot[] NONE = {};

    private static final VarHandle HITS;
    private static final VarHandle CHANNEL_HITS;
    private static final VarHandle RELEASES;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            HITS = lookup.findVarHandle(Magazine.class, "hits", long.class);
            CHANNEL_HITS = lookup.findVarHandle(Magazine.class, "channelHits", long.class);
            RELEASES = lookup.findVarHandle(Magazine.class, "releases", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private Slot[] loaded = NONE;
    private Slot[] spare = NONE;
    private int count;
    private boolean spareFull;

    private long hits;
    private long channelHits;
    private long releases;

    /** Gives it room for two batches. */
    void grant(int batchSize) {
        loaded = new Slot[batchSize];
        spare = new Slot[batchSize];
    }

    boolean isGranted() {
        return loaded != NONE;
    }

    /** A slot whose tenancy has begun, counted as a hit; null when there is none. */
    @Nullable Slot take() {
        int n = count;
        if (n == 0) {
            if (!spareFull) {
                return null;
            }
            swap();
            spareFull = false;
            n = loaded.length;
        }
        Slot slot = loaded[n - 1];
        count = n - 1;
        slot.begin();
        hits++;
        return slot;
    }

    /** Takes a free slot in and counts the release; false when both batches are full. */
    boolean give(Slot slot) {
        if (put(slot)) {
            countRelease();
            return true;
        }
        return false;
    }

    /** Takes a free slot in; false when both batches are full. */
    boolean put(Slot slot) {
        int n = count;
        if (n == loaded.length) {
            if (spareFull || n == 0) {
                return false;
            }
            swap();
            spareFull = true;
            n = 0;
        }
        if (loaded[n] != slot) {
            loaded[n] = slot;
        }
        count = n + 1;
        return true;
    }

    /** When both batches are full: a full one goes out, an empty one comes in. */
    Slot[] exchangeFull(Slot[] empty) {
        Slot[] full = spare;
        spare = loaded;
        loaded = empty;
        count = 0;
        return full;
    }

    /** When both batches are empty: an empty one goes out, and one with {@code filled} slots comes in. */
    Slot[] exchangeEmpty(Slot[] batch, int filled) {
        Slot[] empty = loaded;
        loaded = batch;
        count = filled;
        return empty;
    }

    boolean isEmpty() {
        return count == 0 && !spareFull;
    }

    boolean isFull() {
        return spareFull && count == loaded.length;
    }

    /** Moves everything into {@code into}, from {@code at} on; says where it ends. */
    int drain(Slot[] into, int at) {
        System.arraycopy(loaded, 0, into, at, count);
        at += count;
        count = 0;
        if (spareFull) {
            System.arraycopy(spare, 0, into, at, spare.length);
            at += spare.length;
            spareFull = false;
        }
        return at;
    }

    int size() {
        return count + (spareFull ? spare.length : 0);
    }

    void countRelease() {
        releases++;
    }

    void countChannelHit() {
        channelHits++;
    }

    long hits() {
        return (long) HITS.getOpaque(this);
    }

    long channelHits() {
        return (long) CHANNEL_HITS.getOpaque(this);
    }

    long releases() {
        return (long) RELEASES.getOpaque(this);
    }

    private void swap() {
        Slot[] was = loaded;
        loaded = spare;
        spare = was;
    }
}
