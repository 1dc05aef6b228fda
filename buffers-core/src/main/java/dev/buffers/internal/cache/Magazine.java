// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.cache;

import dev.buffers.internal.slab.Slot;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A small stack of slots of one size class that were free when one thread put them there (Bonwick and Adams, USENIX 2001). It is a list of
 * hints: a slot may have been revoked since, and the compare-and-set that begins its tenancy finds out. A magazine has room for two batches
 * ({@link Depot#batchSize}). One batch is exchanged with the depot when the stack is full or empty, so at most once per batch of acquires
 * or releases.
 *
 * <p>Only the owner uses it: its thread, or in a stripe the thread that has claimed it. Any thread may read the counters.
 */
public final class Magazine extends OwnedMagazine.Padded {
    /*
     *   slots  [s s s s s | . . .]   2 batches; `count` is the top of the stack; a batch leaves from the bottom
     *
     * Elements above `count` are stale. A slot that was just taken is therefore still in its place when it is put back, which saves the
     * collector's write barrier. A stale element, or a revoked slot, keeps no memory: it has no view. A magazine without a grant has an
     * array of length 0: it counts, and always misses.
     *
     *   field                       written by  mode     read by      mode
     *   slots, count                owner       plain    owner        plain
     *                                                    peek, sweep  plain: a hint where free slots may be
     *   hits, channelHits, releases owner       plain    Statistics   opaque: recent, never torn, exact at quiescence
     *   owner                       constructor plain    any thread   plain: a thread finds itself only in its own magazines
     *                               sweep, close: null
     *   claim                       claimant    compareAndSet after an opaque look / release; 0 in a magazine that has an owner
     *   sizeClass, next             ThreadCache plain, before the volatile store that shows the magazine
     *
     * Between tryClaim and unclaim, nothing is allocated, no class is loaded and nothing parks: a virtual thread may be unmounted at any
     * such point, and its stripe would be blocked.
     */
    private static final Slot[] NONE = {};

    private static final VarHandle HITS;
    private static final VarHandle CHANNEL_HITS;
    private static final VarHandle RELEASES;
    private static final VarHandle CLAIM;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            HITS = lookup.findVarHandle(Magazine.class, "hits", long.class);
            CHANNEL_HITS = lookup.findVarHandle(Magazine.class, "channelHits", long.class);
            RELEASES = lookup.findVarHandle(Magazine.class, "releases", long.class);
            CLAIM = lookup.findVarHandle(Magazine.class, "claim", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private Slot[] slots = NONE;
    private int count;

    /** Its class, and another magazine of the same {@link ThreadCache}. */
    int sizeClass;

    @Nullable Magazine next;

    @SuppressWarnings("unused") // through CLAIM
    private int claim;

    /** In place of the magazine of a lease that no magazine served: no thread's own. */
    public static final Magazine ELSEWHERE = new Magazine(null);

    static { // links what runs under a claim, or under the lock of ThreadCaches
        ELSEWHERE.tryClaim();
        ELSEWHERE.unclaim();
        ELSEWHERE.hits();
    }

    /** Acquires that were served from here. */
    public long hits;

    /** Acquires that were served by a slot that had returned to a channel of the owner. */
    public long channelHits;

    /** Releases that the owner made, of whatever thread's acquires. */
    public long releases;

    /** A magazine of that thread; with null, of a stripe. */
    public Magazine(@Nullable Thread owner) {
        super(owner);
    }

    /** Whether the current thread is the owner. */
    public boolean isOwn() {
        return owner == Thread.currentThread();
    }

    /** Called when the owner has ended, or the pool is closed: a lease may still refer to the magazine, and the magazine must not keep the thread. */
    void disown() {
        owner = null;
    }

    /** How many slots a magazine holds: two batches. */
    static int room(int batchSize) {
        return 2 * batchSize;
    }

    /** Gives the magazine its room. */
    public void grant(int batchSize) {
        slots = new Slot[room(batchSize)];
    }

    /** Takes the room back from a magazine that is still empty. */
    void endGrant() {
        slots = NONE;
    }

    public boolean isGranted() {
        return slots != NONE;
    }

    /**
     * Claims a magazine of a stripe, which the caller owns until it calls {@link #unclaim}; false when another thread has claimed it. In a
     * thread's own magazine, which its owner or the one that has taken it out uses alone, there is nothing to claim.
     */
    public boolean tryClaim() {
        return owner != null || (int) CLAIM.getOpaque(this) == 0 && CLAIM.compareAndSet(this, 0, 1);
    }

    /** Ends a claim. In a thread's own magazine it changes nothing. */
    public void unclaim() {
        CLAIM.setRelease(this, 0);
    }

    /** Takes a free slot, which no other list has then; it may be revoked. Null when there is none. */
    public @Nullable Slot take() {
        int n = count;
        if (n == 0) {
            return null;
        }
        Slot slot = slots[n - 1];
        count = n - 1;
        return slot;
    }

    /** Takes a free slot and begins a tenancy on it; drops the revoked ones that lie above it. Null when there is none. */
    public @Nullable Slot takeBegun() {
        Slot slot = take();
        while (slot != null && !slot.begin()) {
            slot = take();
        }
        return slot;
    }

    /** Puts a free slot in; false when the magazine is full: the slow release then exchanges a batch with the depot. */
    public boolean put(Slot slot) {
        int n = count;
        if (n == slots.length) {
            return false;
        }
        if (slots[n] != slot) {
            slots[n] = slot;
        }
        count = n + 1;
        return true;
    }

    /** Takes the {@code n} lowest slots, linked, the highest of them first. */
    public @Nullable Slot unload(int n) {
        Slot taken = null;
        for (int i = 0; i < n; i++) {
            slots[i].next = taken;
            taken = slots[i];
        }
        System.arraycopy(slots, n, slots, 0, count - n);
        count -= n;
        return taken;
    }

    /** Puts linked slots, a batch at most, into this empty magazine; the first of them on top. */
    public void load(@Nullable Slot first) {
        count = Slot.count(first);
        int at = count;
        for (Slot slot = first, next; slot != null; slot = next) {
            next = slot.next;
            slot.next = null;
            slots[--at] = slot;
        }
    }

    /** Takes everything, linked; null when the magazine is empty. */
    public @Nullable Slot drain() {
        return unload(count);
    }

    /** Called by any thread: passes the slots that were here a moment ago, and may be elsewhere by now, to {@code each}. */
    public void peek(Consumer<Slot> each) {
        Slot[] present = slots;
        int n = Math.min(count, present.length);
        for (int i = 0; i < n; i++) {
            Slot slot = present[i];
            if (slot != null) {
                each.accept(slot);
            }
        }
    }

    public boolean isEmpty() {
        return count == 0;
    }

    public boolean isFull() {
        return count == slots.length;
    }

    public int size() {
        return count;
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
}
