// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.cache;

import dev.buffers.internal.slab.SizeClasses;
import dev.buffers.internal.slab.Slot;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The magazines of all threads. A platform thread has its own, which {@link ThreadTable} finds. A virtual thread has none and claims one in
 * a stripe (one of a few shared sets of magazines) for one take or give.
 *
 * <p>Any thread. Not on the path of a hit.
 */
public final class ThreadCaches {
    /*
     *   platform thread --id--> ThreadTable --> ThreadCache --class--> Magazine
     *   virtual thread  --id--> two of the stripes --class--> Magazine, of which it claims one
     *
     * The table maps threads to their magazines. It is open-addressed by thread id and at most a quarter full, so the first probe usually
     * finds them. It is used instead of a ThreadLocal: no thread refers to it, so a live thread keeps no pool alive, and the magazines of a
     * dead thread can be found here. A look-up is also faster. Everything that a thread did happens before isAlive() returns false for it.
     * ENDED takes the place of a dead thread, so that the probes of others still go past it; it is left out when the table is made anew.
     *
     *   field      written by                                        mode      read by          mode
     *   table and  registration, sweep (under the lock)              ThreadTable
     *   elements
     *   thread     constructor; forgetThreads (under the lock)       plain     owner            plain: its magazines, or none any more
     *                                                                          sweep            plain: one that has ended, or null
     *   stripes    first thread that needs them (under the lock)     volatile  virtual threads  volatile
     *   used       registration                                      under the lock, and read under it
     *   byClass    owner                                             release   owner            plain
     *              of a stripe: the first thread that needs it       release   others           acquire
     *              (under the lock)
     *   first      as byClass                                        volatile  others           volatile
     *   granted    owner; of a stripe, as byClass                    plain     owner            plain
     *                                                                          sweep            plain: of a thread that has ended
     *   grantees   grants, sweep                                     getAndAdd grants           volatile: a hint
     *   together   grants, sweep                                     compareAndSet, getAndAdd   volatile
     *   misses,    owner                                             plain     owner            plain
     *   missedIn
     *   ticks      tick                                              plain     owner            plain: a hint
     *
     * M1  The bytes that all magazines together may hold are granted two batches at a time, before a magazine may hold them: `together`, an
     *     eighth of the cap at most. A magazine without a grant stays empty, and its thread uses the depot every time. The first AT_ONCE
     *     threads get grants when they first miss, and others when they are busy. So hundreds of threads that mostly sleep share few slots
     *     in the depot, which stay in the processors' caches.
     * M2  A virtual thread is never in the table. It tries to claim a magazine in at most two stripes (of four or more for each core), then
     *     uses the depot: the thread that holds a claim may be unmounted.
     * M3  A subclass of Thread may override getId and return another value each time. A thread is in the table under its first value, and
     *     is registered once: when a look-up does not find the thread, registration searches for it under the lock. Until
     *     a look-up finds it again, the thread uses the depot.
     * M4  A thread adds its magazines to its own ThreadCache without the lock, also while the pool is closing: it shows the magazine
     *     (`first`, volatile) and then reads whether the pool is closed, and forgetThreads, which a closed pool calls, looks at `first`. So
     *     one of the two disowns the magazine.
     * M5  A look at all magazines takes no lock. It finds each magazine whose making happened before it. What another one holds was free
     *     before only if it has moved since, and Moves tells.
     */
    private static final @Nullable MethodHandle IS_VIRTUAL = isVirtual();
    private static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(ThreadCache[].class);
    private static final int GOLDEN = 0x9E3779B9;
    private static final int STRIPES_TRIED = 2;
    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

    /** So many threads get grants at once: two on one processor, since the thread that makes a pool may only try it. */
    static final int AT_ONCE = Math.max(2, PROCESSORS);

    /** A thread with so many misses between two ticks (one a second) is busy. */
    public static final int BUSY = 1 << 12;

    private static final ThreadCache ENDED = new ThreadCache(null, 0);

    static {
        insert(new ThreadCache[1], ENDED); // links what runs under the lock
        new ThreadCache(null, 1).setRelease(0, new Magazine(null));
    }

    private final ThreadTable pool;
    private final SizeClasses classes;
    private final long mostPerThread;
    private final long mostTogether;
    private final AtomicLong together = new AtomicLong();

    /** Counts how slots of any class leave the magazines for {@code sink}. */
    public final Moves moves = new Moves();

    /** How many threads have a grant. */
    private final AtomicInteger grantees = new AtomicInteger();

    /** Counts the ticks, one a second. */
    private int ticks;

    /** How many elements of the table are not null. */
    private int used;

    private final int stripeMask = Integer.highestOneBit(PROCESSORS * 4 - 1) * 2 - 1;
    private volatile ThreadCache @Nullable [] stripes;

    public ThreadCaches(ThreadTable pool, SizeClasses classes, long mostPerThread, long mostTogether) {
        this.pool = pool;
        this.classes = classes;
        this.mostPerThread = mostPerThread;
        this.mostTogether = mostTogether;
    }

    public static boolean isVirtual(Thread thread) {
        if (IS_VIRTUAL == null) {
            return false;
        }
        try {
            return (boolean) IS_VIRTUAL.invokeExact(thread);
        } catch (RuntimeException | Error e) {
            throw e; // no stack or no heap to link the call
        } catch (Throwable e) {
            throw new AssertionError(e); // it declares none
        }
    }

    private static @Nullable MethodHandle isVirtual() {
        try {
            return MethodHandles.lookup().findVirtual(Thread.class, "isVirtual", MethodType.methodType(boolean.class));
        } catch (ReflectiveOperationException e) {
            return null; // before Java 21 there are none
        }
    }

    /** The magazines of the current platform thread, for the next calls; null when it has none yet, and when the thread is virtual. */
    public @Nullable ThreadCache own() {
        return isVirtual(Thread.currentThread()) ? null : pool.mine();
    }

    /**
     * The magazine that the current thread may use until it calls {@link Magazine#unclaim}: its own, or one of a stripe. Null when there is
     * none yet, and when other threads have claimed both that were tried. Allocates nothing.
     *
     * @param own as {@link #own} has found it
     */
    public @Nullable Magazine claim(@Nullable ThreadCache own, int sizeClass) {
        if (own != null) {
            return own.get(sizeClass);
        }
        Thread thread = Thread.currentThread();
        ThreadCache[] present = isVirtual(thread) ? stripes : null;
        for (int i = 0; present != null && i < STRIPES_TRIED; i++) {
            Magazine magazine = present[place(thread) + i & stripeMask].getAcquire(sizeClass);
            if (magazine == null || magazine.tryClaim()) {
                return magazine;
            }
        }
        return null;
    }

    private static int place(Thread virtual) {
        return (int) (virtual.getId() * GOLDEN >>> 16);
    }

    /**
     * After a miss: the magazine for the next slots, with a grant if possible. Makes it if there is none, in all stripes if the current
     * thread is virtual. The caller claims it before it uses it ({@link Magazine#tryClaim}).
     *
     * @param own as {@link #own} has found it
     * @param missed the magazine that {@link #claim} has found; null for none
     */
    public Magazine prepare(@Nullable ThreadCache own, @Nullable Magazine missed, int sizeClass) {
        if (missed != null && missed.isGranted()) {
            return missed;
        }
        Thread thread = Thread.currentThread();
        if (own != null || !isVirtual(thread)) {
            ThreadCache mine = own != null ? own : register(new ThreadCache(thread, classes.count()));
            mine.missed(ticks);
            return provide(mine, sizeClass);
        }
        ThreadCache[] present = stripes;
        present = present != null ? present : makeStripes();
        ThreadCache here = present[place(thread) & stripeMask];
        Magazine magazine = here.getAcquire(sizeClass);
        if (magazine == null) {
            for (ThreadCache stripe : present) {
                provideStripe(stripe, sizeClass);
            }
            magazine = here.getAcquire(sizeClass);
        }
        return Objects.requireNonNull(magazine);
    }

    /** Moves all slots of one class of the current platform thread into {@code sink}. */
    public void flushOwn(int sizeClass, Consumer<@Nullable Slot> sink) {
        Magazine own = pool.current(sizeClass);
        if (own != null && !own.isEmpty()) {
            flush(own, sink);
        }
    }

    /** Called by the tick, once a second. */
    public void tick() {
        ticks++;
    }

    /**
     * Moves all slots of dead threads into {@code sink}; if {@code stripesToo}, also those of the stripes' magazines that no thread has
     * claimed.
     */
    public void sweep(boolean stripesToo, Consumer<@Nullable Slot> sink) {
        for (ThreadCache one : all()) {
            if (isEnded(one)) {
                moves.begin(); // from here on no other thread finds its slots
                try {
                    if (takeOut(one)) {
                        flush(one, sink);
                    }
                } finally {
                    moves.end();
                }
            } else if (one.isStripe && stripesToo) {
                flush(one, sink);
            }
        }
    }

    private static boolean isEnded(ThreadCache one) {
        Thread owner = one.thread;
        return owner != null && !owner.isAlive();
    }

    /**
     * Moves all their slots into {@code sink}. A loop without a lambda: HotSpot may take a lambda's object apart, and in a full heap drop
     * this frame with its slots.
     */
    public void flush(ThreadCache magazines, Consumer<@Nullable Slot> sink) {
        for (Magazine one = magazines.firstVolatile(); one != null; one = one.next) {
            if (!one.isEmpty() && one.tryClaim()) {
                flush(one, sink);
            }
        }
    }

    /** Ends a claim; that changes nothing in a thread's own magazine. */
    private void flush(Magazine magazine, Consumer<@Nullable Slot> sink) {
        moves.begin();
        try {
            Slot first = magazine.drain();
            magazine.unclaim();
            sink.accept(first);
        } finally {
            moves.end();
        }
    }

    /** Takes out the magazines of a dead thread, whose counts go to the pool; false when another thread has. Needs no heap. */
    private synchronized boolean takeOut(ThreadCache ended) {
        ThreadCache[] table = pool.table;
        int at = (int) ended.id & table.length - 1;
        while (table[at] != ended) {
            if (table[at] == null) {
                return false;
            }
            at = at + 1 & table.length - 1;
        }
        for (Magazine one = ended.firstVolatile(); one != null; one = one.next) {
            one.disown();
            pool.counters.inherit(one.sizeClass, one.hits(), one.channelHits(), one.releases());
        }
        together.getAndAdd(-ended.granted);
        grantees.getAndAdd(ended.granted > 0 ? -1 : 0);
        ELEMENT.setRelease(table, at, ENDED);
        return true;
    }

    /**
     * Called by the tick of a closed pool: keeps no thread any more, whether it lives or has ended. The magazines stay, for their counts: a
     * release that is under way may still count in one.
     */
    public synchronized void forgetThreads() {
        for (ThreadCache one : pool.table) {
            if (one != null && one.thread != null) {
                for (Magazine each = one.firstVolatile(); each != null; each = each.next) {
                    each.disown();
                }
                one.thread = null;
            }
        }
    }

    /** Passes the slots that other threads' magazines and stripes held a moment ago to {@code visit}; a racy read, with no lock held. */
    public void peekElsewhere(Consumer<Slot> visit) {
        for (ThreadCache magazines : all()) {
            for (Magazine one = magazines.firstVolatile(); one != null; one = one.next) {
                if (!one.isOwn()) {
                    one.peek(visit);
                }
            }
        }
    }

    /** An array: its callers own slots, and HotSpot may take an iterator apart ({@link #flush}). */
    private ThreadCache[] all() {
        List<ThreadCache> all = living();
        ThreadCache[] shared = stripes;
        if (shared != null) {
            Collections.addAll(all, shared);
        }
        return all.toArray(new ThreadCache[0]);
    }

    /** Those of threads, in a new list (M5). */
    private List<ThreadCache> living() {
        List<ThreadCache> living = new ArrayList<>();
        ThreadCache[] table = pool.table;
        for (int i = 0; i < table.length; i++) {
            ThreadCache one = (ThreadCache) ELEMENT.getAcquire(table, i);
            if (one != null && one != ENDED) {
                living.add(one);
            }
        }
        return living;
    }

    /** Runs what adds up the counts of magazines and those of the pool, under the lock: no dead thread's counts move to the pool then. */
    public synchronized void whileNoCountsMove(Runnable sum) {
        sum.run();
    }

    /** Adds up the counters for each class: releases first, so that the number of leases is never negative. */
    public void addUp(long[] hits, long[] channelHits, long[] releases) {
        ThreadCache[] present = all();
        for (ThreadCache magazines : present) {
            for (Magazine one = magazines.firstVolatile(); one != null; one = one.next) {
                releases[one.sizeClass] += one.releases();
            }
        }
        for (ThreadCache magazines : present) {
            for (Magazine one = magazines.firstVolatile(); one != null; one = one.next) {
                hits[one.sizeClass] += one.hits();
                channelHits[one.sizeClass] += one.channelHits();
            }
        }
    }

    /** Called by the owner: its magazine of that class, made if there is none, and with a grant if possible. */
    private Magazine provide(ThreadCache mine, int sizeClass) {
        Magazine magazine = mine.get(sizeClass);
        boolean made = magazine == null;
        magazine = magazine != null ? magazine : new Magazine(mine.thread);
        boolean pays = mine.granted > 0 || mine.misses >= BUSY || grantees.get() < AT_ONCE;
        if (pays && tryGrant(mine, magazine, sizeClass)) {
            grantees.getAndAdd(mine.granted == 0 ? 1 : 0);
            mine.granted += bytesFor(sizeClass);
        }
        if (made) {
            mine.setRelease(sizeClass, magazine);
            if (pool.isClosed()) { // last (M4)
                magazine.disown();
            }
        }
        return magazine;
    }

    /** The same for a stripe that lacks this magazine; called by any thread. */
    private synchronized void provideStripe(ThreadCache stripe, int sizeClass) {
        if (stripe.getAcquire(sizeClass) == null) {
            Magazine made = new Magazine(null);
            stripe.granted += tryGrant(stripe, made, sizeClass) ? bytesFor(sizeClass) : 0;
            stripe.setRelease(sizeClass, made);
        }
    }

    /** How many bytes a magazine of that class may hold. */
    private long bytesFor(int sizeClass) {
        int slotSize = classes.sizeOf(sizeClass);
        return (long) Magazine.room(Depot.batchSize(slotSize)) * slotSize;
    }

    /** Gives a magazine its room if the limits permit (M1); false when it stays without. */
    private boolean tryGrant(ThreadCache to, Magazine magazine, int sizeClass) {
        int batch = Depot.batchSize(classes.sizeOf(sizeClass));
        long bytes = bytesFor(sizeClass);
        if (batch == 1 || magazine.isGranted() || to.granted + bytes > mostPerThread) {
            return false;
        }
        if (together.get() + bytes > mostTogether) {
            return false;
        }
        magazine.grant(batch); // first: without heap for it nothing has changed
        for (long now = together.get(); now + bytes <= mostTogether; now = together.get()) {
            if (together.compareAndSet(now, now + bytes)) {
                return true;
            }
        }
        magazine.endGrant();
        return false;
    }

    /** Called by the owner. Returns its magazines: earlier ones if the thread was registered before and not found. None in a closed pool. */
    private synchronized ThreadCache register(ThreadCache magazines) {
        if (pool.isClosed()) {
            return magazines;
        }
        if (Thread.currentThread().getClass() != Thread.class) {
            for (ThreadCache present : pool.table) {
                if (present != null && present.thread == magazines.thread) {
                    return present;
                }
            }
        }
        if ((used + 1) * 4 > pool.table.length) {
            rebuild(); // before anything is added
        }
        insert(pool.table, magazines);
        used++;
        return magazines;
    }

    /** With the lock held: makes the table anew without ENDED, and of another length: an eighth to a sixteenth of it is in use then. */
    private void rebuild() {
        List<ThreadCache> living = living();
        ThreadCache[] made = new ThreadCache[Math.max(16, Integer.highestOneBit(living.size()) * 16)];
        for (ThreadCache one : living) {
            insert(made, one);
        }
        pool.table = made;
        used = living.size();
    }

    private static void insert(ThreadCache[] into, ThreadCache magazines) {
        int at = (int) magazines.id & into.length - 1;
        while (into[at] != null) {
            at = at + 1 & into.length - 1;
        }
        ELEMENT.setRelease(into, at, magazines);
    }

    private synchronized ThreadCache[] makeStripes() {
        ThreadCache[] present = stripes;
        if (present == null) {
            present = new ThreadCache[stripeMask + 1];
            for (int i = 0; i < present.length; i++) {
                present[i] = new ThreadCache(null, classes.count());
            }
            stripes = present;
        }
        return present;
    }
}
