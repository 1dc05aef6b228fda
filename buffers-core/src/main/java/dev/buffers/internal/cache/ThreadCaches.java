package dev.buffers.internal.cache;

import dev.buffers.internal.memory.Budget;
import dev.buffers.internal.signals.PoolState;
import dev.buffers.internal.slab.SizeClasses;
import dev.buffers.internal.slab.Slot;
import dev.buffers.internal.slab.SlotConsumer;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds the magazine of the current thread. A platform thread has its own magazines. A virtual thread has none and claims one in a stripe
 * (one of a few shared sets of magazines) for one take or give.
 *
 * <p>Any thread. {@link #current} takes no atomic step; the other methods are not on the path of a hit.
 */
public final class ThreadCaches {
    /*
     *   platform thread --id--> table --> ThreadCache --class--> Magazine
     *   virtual thread  --id--> two of the stripes --class--> Magazine, of which it claims one
     *
     * The table maps threads to their magazines. It is open-addressed by thread id and at most a quarter full, so the first probe usually
     * finds them. It is used instead of a ThreadLocal: no thread refers to it, so a live thread keeps no pool alive, and the magazines of a
     * dead thread can be found here. A look-up is also faster. Everything that a thread did happens before isAlive() returns false for it.
     *
     *   field      written by                                        mode      read by          mode
     *   table      registration, sweep (under the lock)              volatile  any look-up      volatile
     *   elements   registration (under the lock), null to non-null   release   any look-up      plain: a thread looks for the
     *                                                                                           element that it wrote itself
     *   stripes    first thread that needs them (under the lock)     volatile  virtual threads  volatile
     *   all, ended registration, sweep                               under the lock, and read under it
     *
     * M1  The bytes that all magazines together may hold are charged to `grants` (an eighth of the cap), two batches at a time, before a
     *     magazine may hold them. A magazine without a grant stays empty, and its thread uses the depot every time.
     * M2  A virtual thread is never in the table. It tries to claim a magazine in at most two stripes (of four or more for each core), then
     *     uses the depot: the thread that holds a claim may be unmounted.
     * M3  A subclass of Thread may override getId and return another value each time. A thread is in the table under its first value, and
     *     is registered once: when a look-up does not find the thread, registration searches for it under the lock. Until
     *     a look-up finds it again, the thread uses the depot.
     */
    private static final @Nullable MethodHandle IS_VIRTUAL = isVirtual();
    private static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(ThreadCache[].class);
    private static final int GOLDEN = 0x9E3779B9;

    private final PoolState pool;
    private final int sizeClasses;
    private final long mostPerThread;
    private final Budget grants;
    private List<ThreadCache> all = new ArrayList<>();

    /** Magazines of dead threads whose slots are still in them. */
    private final ArrayList<ThreadCache> ended = new ArrayList<>();

    private volatile ThreadCache[] table = new ThreadCache[16];
    private final int stripeMask = Integer.highestOneBit(Runtime.getRuntime().availableProcessors() * 4 - 1) * 2 - 1;
    private volatile ThreadCache @Nullable [] stripes;

    public ThreadCaches(PoolState pool, SizeClasses classes, long mostPerThread, long mostTogether) {
        this.pool = pool;
        this.sizeClasses = classes.count();
        this.mostPerThread = mostPerThread;
        this.grants = new Budget(mostTogether);
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

    /** The current platform thread's magazine; null when it has none yet, or when the thread is virtual. */
    public @Nullable Magazine current(int sizeClass) {
        ThreadCache mine = mine();
        return mine == null ? null : mine.get(sizeClass);
    }

    private @Nullable ThreadCache mine() {
        Thread thread = Thread.currentThread();
        ThreadCache[] table = this.table;
        for (int at = (int) thread.getId() & table.length - 1; ; at = at + 1 & table.length - 1) {
            ThreadCache there = table[at];
            if (there == null || there.thread == thread) {
                return there;
            }
        }
    }

    /**
     * The magazine that the current thread may use until it calls {@link Magazine#unclaim}: its own, or one of a stripe. Null when there is
     * none yet, and when other threads have claimed both that were tried. Allocates nothing.
     */
    public @Nullable Magazine claim(int sizeClass) {
        Thread thread = Thread.currentThread();
        if (!isVirtual(thread)) {
            return current(sizeClass);
        }
        ThreadCache[] present = stripes;
        if (present == null) {
            return null;
        }
        int place = place(thread);
        Magazine magazine = present[place & stripeMask].getAcquire(sizeClass);
        if (magazine == null || magazine.tryClaim()) {
            return magazine;
        }
        magazine = present[place + 1 & stripeMask].getAcquire(sizeClass);
        return magazine != null && magazine.tryClaim() ? magazine : null;
    }

    private static int place(Thread virtual) {
        return (int) (virtual.getId() * GOLDEN >>> 16);
    }

    /**
     * Makes the magazine that {@link #claim} is to find, in all stripes if the current thread is virtual, with a grant if possible.
     *
     * @return whether it has a grant
     */
    public boolean prepare(int sizeClass, int slotSize) {
        Thread thread = Thread.currentThread();
        if (!isVirtual(thread)) {
            ThreadCache mine = mine();
            mine = mine != null ? mine : register(new ThreadCache(thread, sizeClasses));
            return provide(mine, sizeClass, slotSize).isGranted();
        }
        ThreadCache[] present = stripes;
        present = present != null ? present : makeStripes();
        int place = place(thread) & stripeMask;
        Magazine magazine = present[place].getAcquire(sizeClass);
        for (int i = 0; magazine == null && i < present.length; i++) {
            provide(present[i], sizeClass, slotSize);
        }
        magazine = magazine != null ? magazine : present[place].getAcquire(sizeClass);
        return magazine != null && magazine.isGranted();
    }

    /** Moves all slots of the current platform thread into {@code sink}. */
    public void flushOwn(SlotConsumer sink) {
        ThreadCache mine = mine();
        if (mine != null) {
            flush(mine, sink);
        }
    }

    /** Moves all slots of one class of the current platform thread into {@code sink}. */
    public void flushOwn(int sizeClass, SlotConsumer sink) {
        Magazine own = current(sizeClass);
        if (own != null) {
            sink.accept(own.drain());
        }
    }

    /** Moves all slots of dead threads into {@code sink}; if {@code stripesToo}, also those of the stripes' magazines that no thread has claimed. */
    public void sweep(boolean stripesToo, SlotConsumer sink) {
        moveEnded();
        for (ThreadCache magazines = pollEnded(); magazines != null; magazines = pollEnded()) {
            flush(magazines, sink);
        }
        ThreadCache[] present = stripes;
        if (stripesToo && present != null) {
            flushStripes(present, sink);
        }
    }

    private static boolean hasEnded(ThreadCache magazines) {
        return magazines.thread != null && !magazines.thread.isAlive();
    }

    /** Moves the magazines of dead threads out of the table: all of them, or none when there is no heap. */
    private synchronized void moveEnded() {
        boolean any = false;
        for (int i = 0; i < all.size() && !any; i++) {
            any = hasEnded(all.get(i));
        }
        if (!any) {
            return;
        }
        List<ThreadCache> living = new ArrayList<>(all.size());
        for (int i = 0; i < all.size(); i++) {
            ThreadCache magazines = all.get(i);
            if (!hasEnded(magazines)) {
                living.add(magazines);
            }
        }
        ended.ensureCapacity(ended.size() + all.size() - living.size());
        table = tableOf(living, table.length); // from here on nothing is allocated
        for (int i = 0, l = 0; i < all.size(); i++) {
            ThreadCache magazines = all.get(i);
            if (l < living.size() && living.get(l) == magazines) {
                l++;
                continue;
            }
            for (int c = 0; c < sizeClasses; c++) {
                Magazine magazine = magazines.get(c);
                if (magazine != null) {
                    magazine.disown();
                    pool.counters.inherit(c, magazine.hits(), magazine.channelHits(), magazine.releases());
                }
            }
            grants.credit(magazines.granted);
            ended.add(magazines);
        }
        all = living;
    }

    private synchronized @Nullable ThreadCache pollEnded() {
        return ended.isEmpty() ? null : ended.remove(ended.size() - 1);
    }

    /** Whether other threads' magazines or stripes held any slots a moment ago. */
    public boolean holdElsewhere() {
        boolean[] any = new boolean[1];
        eachElsewhere(magazine -> any[0] |= magazine.sizeOpaque() > 0);
        return any[0];
    }

    /** Passes the slots that other threads' magazines and stripes held a moment ago to {@code visit}; a racy read. */
    public void peekElsewhere(Consumer<Slot> visit) {
        eachElsewhere(magazine -> magazine.peek(visit));
    }

    private void eachElsewhere(Consumer<Magazine> visit) {
        Thread current = Thread.currentThread();
        synchronized (this) {
            for (int i = 0; i < all.size(); i++) {
                ThreadCache magazines = all.get(i);
                for (int c = 0; c < sizeClasses && magazines.thread != current; c++) {
                    Magazine magazine = magazines.getAcquire(c);
                    if (magazine != null) {
                        visit.accept(magazine);
                    }
                }
            }
        }
    }

    /** Adds up the counters for each class: releases first, so that the number of leases is never negative. */
    public synchronized void addUp(long[] hits, long[] channelHits, long[] releases) {
        for (int i = 0; i < all.size(); i++) {
            ThreadCache magazines = all.get(i);
            for (int c = 0; c < sizeClasses; c++) {
                Magazine magazine = magazines.getAcquire(c);
                releases[c] += magazine == null ? 0 : magazine.releases();
            }
        }
        for (int i = 0; i < all.size(); i++) {
            ThreadCache magazines = all.get(i);
            for (int c = 0; c < sizeClasses; c++) {
                Magazine magazine = magazines.getAcquire(c);
                hits[c] += magazine == null ? 0 : magazine.hits();
                channelHits[c] += magazine == null ? 0 : magazine.channelHits();
            }
        }
    }

    /** Runs {@code adding} while no counts move from magazines into the pool's counters. */
    public synchronized void whileNoneEnds(Runnable adding) {
        adding.run();
    }

    private void flush(ThreadCache magazines, SlotConsumer sink) {
        for (int c = 0; c < sizeClasses; c++) {
            Magazine magazine = magazines.get(c);
            if (magazine != null) {
                sink.accept(magazine.drain());
            }
        }
    }

    private void flushStripes(ThreadCache[] present, SlotConsumer sink) {
        for (ThreadCache stripe : present) {
            for (int c = 0; c < sizeClasses; c++) {
                Magazine magazine = stripe.getAcquire(c);
                if (magazine != null && magazine.tryClaim()) {
                    Slot first = magazine.drain();
                    magazine.unclaim();
                    sink.accept(first);
                }
            }
        }
    }

    /** Called by the owner; for a stripe that lacks this magazine, by any thread. */
    private Magazine provide(ThreadCache to, int sizeClass, int slotSize) {
        Magazine magazine = to.getAcquire(sizeClass);
        int batch = Depot.batchSize(slotSize);
        long bytes = (long) Magazine.room(batch) * slotSize;
        boolean grant = batch > 1 && (magazine == null || !magazine.isGranted());
        if (magazine != null && (!grant || to.thread == null || !mayBeGranted(to, bytes))) {
            return magazine;
        }
        Magazine made = magazine == null ? new Magazine(to.thread) : magazine;
        synchronized (this) {
            if (to.thread == null && to.getAcquire(sizeClass) != null) {
                return made;
            }
            if (grant && mayBeGranted(to, bytes) && grants.tryCharge(bytes)) {
                try {
                    made.grant(batch);
                } catch (OutOfMemoryError e) {
                    grants.credit(bytes);
                    throw e;
                }
                to.granted += bytes;
            }
            to.setRelease(sizeClass, made);
        }
        return made;
    }

    /** Called by the owner, or under the lock. */
    private boolean mayBeGranted(ThreadCache to, long bytes) {
        return to.granted + bytes <= mostPerThread && bytes <= grants.room();
    }

    /** Called by the owner. Returns its magazines: earlier ones if the thread was registered before and not found. */
    private ThreadCache register(ThreadCache magazines) {
        boolean mayChange = Thread.currentThread().getClass() != Thread.class;
        synchronized (this) {
            if (mayChange) {
                for (int i = 0; i < all.size(); i++) {
                    ThreadCache present = all.get(i);
                    if (present.thread == magazines.thread) {
                        return present;
                    }
                }
            }
            if ((all.size() + 1) * 4 > table.length) {
                table = tableOf(all, table.length * 2); // before anything is added
            }
            all.add(magazines);
            insert(table, magazines);
            return magazines;
        }
    }

    private static ThreadCache[] tableOf(List<ThreadCache> some, int length) {
        ThreadCache[] made = new ThreadCache[length];
        for (int i = 0; i < some.size(); i++) {
            insert(made, some.get(i));
        }
        return made;
    }

    private static void insert(ThreadCache[] into, ThreadCache magazines) {
        if (magazines.thread != null) {
            int at = (int) magazines.id & into.length - 1;
            while (into[at] != null) {
                at = at + 1 & into.length - 1;
            }
            ELEMENT.setRelease(into, at, magazines);
        }
    }

    private synchronized ThreadCache[] makeStripes() {
        ThreadCache[] present = stripes;
        if (present == null) {
            present = new ThreadCache[stripeMask + 1];
            for (int i = 0; i < present.length; i++) {
                present[i] = new ThreadCache(null, sizeClasses);
            }
            Magazine any = new Magazine(null);
            any.tryClaim(); // links both steps, which must not happen under a claim
            any.unclaim();
            all.addAll(Arrays.asList(present)); // all or none
            stripes = present;
        }
        return present;
    }
}
