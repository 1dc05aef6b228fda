package dev.buffers;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What one pool needs without traffic: hears of what was lost, finds memory for who waits, gives back what is quiet.
 *
 * <p>By the {@link Trimmer}'s thread, or by a test; one at a time. With no lock held: wake-ups and the leak listener are the user's.
 */
final class Upkeep {
    /*
     *   tick:  what the collector found -> the leak listener -> guard's I/O -> closed?   what can be dropped by now, and no more
     *                                                                       -> pressure? relieve: find room for who waits
     *                                                                       -> once a second: give back what is quiet
     *
     * All fields are the tick's own and plain, but for `markedFor`: who waits no more clears it too, by compare-and-set, so that it
     * clears nothing that the tick has marked for the next one; and whoever clears it unmarks, which does no harm twice.
     */
    private final SlabPool pool;
    private final SizeClasses classes;
    private final Regions regions;
    private final Slabs slabs;
    private final ThreadMagazines magazines;
    private final LeakTracker leaks;
    private final @Nullable Guard guard;
    private final Waiters waiters;
    private final Serving serving;
    private final Recall recall;
    private final Supply supply;
    private final boolean views;
    private final long idle;
    private final long keep;

    private long lastTrim;
    private long lastTicket;
    private long pressureTick = Trimmer.PRESSURE_TICK;
    private int marks;

    /** For whom a slab is withheld; also by who waits no more. */
    private final AtomicReference<Waiters.@Nullable Waiter> markedFor = new AtomicReference<>();

    Upkeep(
            SlabPool pool,
            SizeClasses classes,
            Regions regions,
            Slabs slabs,
            ThreadMagazines magazines,
            LeakTracker leaks,
            @Nullable Guard guard,
            Waiters waiters,
            Serving serving,
            Recall recall,
            Supply supply) {
        this.pool = pool;
        this.classes = classes;
        this.regions = regions;
        this.slabs = slabs;
        this.magazines = magazines;
        this.leaks = leaks;
        this.guard = guard;
        this.waiters = waiters;
        this.serving = serving;
        this.recall = recall;
        this.supply = supply;
        this.views = pool.settings().policy().views();
        this.idle = pool.settings().trimAfter().map(Duration::toNanos).orElse(Long.MAX_VALUE);
        this.keep = pool.settings().kept();
    }

    /** One waits no more, a thread or a wake-up that is about to be called: nothing is withheld for it. */
    void gone(Waiters.Waiter waiter) {
        if (markedFor.compareAndSet(waiter, null)) {
            slabs.unmark();
        }
    }

    /**
     * One round.
     *
     * @param now a reading of {@link System#nanoTime}
     * @return nanoseconds until it should be called again; less than 0 when there is nothing left to do, ever
     */
    long tick(long now) {
        supply.collect();
        leaks.tell();
        if (guard != null) {
            guard.tick(serving::goHome);
        }
        if (pool.isClosed()) {
            sweep(); // else it would hold ended threads, and what they hold, for as long as a lease is out
            waiters.wakeAll(); // close may have found no heap for it
            supply.closeOnce(false);
            serving.closeDropped(Trimmer.TICK);
            return slabs.isEmpty() && !regions.isClosing() ? -1 : Trimmer.TICK;
        }
        long again = Trimmer.TICK;
        if (pool.isUnderPressure()) {
            again = relieve();
        } else {
            unmark();
        }
        if (now - lastTrim >= Trimmer.TICK || lastTrim == 0) {
            lastTrim = now;
            trimQuiet(now);
        }
        serving.closeDropped(Trimmer.TICK);
        return Math.min(again, Trimmer.TICK);
    }

    /** By the tick: withholds nothing any more; says whether something was withheld. */
    private boolean unmark() {
        boolean marked = markedFor.getAndSet(null) != null;
        if (marked) {
            slabs.unmark();
        }
        return marked;
    }

    /** What ended threads have left. */
    private void sweep() {
        serving.move(() -> magazines.sweep(false, serving::goHome));
    }

    /** Finds for who waits what is free anywhere; says when to come again. */
    private long relieve() {
        supply.reclaim();
        recall.soon(slabs::eachOut);
        if (!views) {
            slabs.dropUnused(0);
        }
        serving.serveAll();
        serving.endPromises();
        List<Waiters.Waiter> left = waiters.all();
        Waiters.Waiter oldest = left.isEmpty() ? null : left.get(0);
        if (markedFor.get() != oldest && unmark()) {
            marks = 0;
        }
        if (oldest != null && views) {
            slabs.dropUnused(0); // too small for any of them
            if ((marks++ & 31) == 1) {
                markedFor.set(oldest);
                slabs.earmark(oldest.bytes, oldest.sizeClass);
                if (!waiters.isIn(oldest)) {
                    slabs.unmark();
                }
            }
        }
        long tickets = waiters.tickets();
        pressureTick =
                tickets != lastTicket ? Trimmer.PRESSURE_TICK : Math.min(Trimmer.TICK, pressureTick + pressureTick / 4);
        lastTicket = tickets;
        return pressureTick;
    }

    /**
     * Gives back what has been quiet for `trim-after`. A class that is in use keeps a spare, an eighth of what is in use or one
     * slab of at most four times that, so that a steady load whose peaks differ does not drop and reserve by turns.
     */
    private void trimQuiet(long now) {
        sweep();
        if (idle != Long.MAX_VALUE) {
            supply.depots().each(depot -> serving.move(() -> depot.reap(serving::goHomeQuietly)));
        }
        long[] inUse = new long[classes.count()];
        List<Slab> quiet = new ArrayList<>();
        List<Slab> toRecall = new ArrayList<>();
        for (Slab slab : slabs.all()) {
            if (slab.sizeClass == SizeClasses.OVERSIZE) {
                continue;
            }
            if (slab.isCondemned()) {
                slabs.eachOut(slab, Slot::drain);
                toRecall.add(slab);
            } else if (now - slabs.quietSince(slab, now) >= idle) {
                quiet.add(slab);
            } else {
                inUse[slab.sizeClass] += slab.region.bytes;
            }
        }
        long bytes = slabs.dropQuietUncut(now, idle, keep);
        long[] spare = new long[classes.count()];
        List<Slab> whole = new ArrayList<>();
        List<Slab> order = new ArrayList<>(); // what is whole goes first, so it comes last here
        quiet.forEach(slab -> (slab.isWhole() ? whole : order).add(slab)); // one look at each: they change meanwhile
        order.addAll(whole);
        for (Slab slab : order) {
            int c = slab.sizeClass;
            if (spare[c] + slab.region.bytes <= (spare[c] == 0 ? 4 * inUse[c] : inUse[c] / 8)) {
                spare[c] += slab.region.bytes;
            } else if (slab.isWhole()) {
                bytes += slabs.dropQuiet(slab, now - idle, now, keep);
            } else {
                toRecall.add(slab);
            }
        }
        recall.soon(visit -> toRecall.forEach(slab -> slabs.eachOut(slab, visit)));
        if (bytes > 0) {
            pool.counters.trimmedBytes.addAndGet(bytes);
        }
    }
}
