package dev.buffers;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one pool needs without traffic: hears of what was lost, finds memory for the waiters, gives back what is quiet.
 *
 * <p>By the {@link Trimmer}'s thread, or by a test; one at a time. With no lock held. What is a user's is called by the pool's own thread
 * ({@link Callbacks}), and nothing here waits for that.
 */
final class Upkeep {
    /*
     *   tick:  what the collector found -> the leak listener -> guard's I/O -> closed?   what can be dropped by now, and no more
     *                                                                       -> pressure? relieve: find room for the waiters
     *                                                                       -> once a second: give back what is quiet
     *
     * All fields are the tick's own and plain.
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
    private final long idle;
    private final long keep;

    private long lastTrim;
    private long lastTicket;
    private long pressureTick = Trimmer.PRESSURE_TICK;

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
        this.idle = pool.settings().trimAfter().map(Duration::toNanos).orElse(Long.MAX_VALUE);
        this.keep = pool.settings().kept();
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
            serving.callAll(); // close may have found no heap for it
            supply.closeOnce(false);
            serving.closeDropped(Trimmer.TICK);
            return slabs.isEmpty() && !regions.isClosing() && leaks.isToldAll() ? -1 : Trimmer.TICK;
        }
        long again = pool.isUnderPressure() ? relieve() : Trimmer.TICK;
        if (now - lastTrim >= Trimmer.TICK || lastTrim == 0) {
            lastTrim = now;
            trimQuiet(now);
        }
        serving.closeDropped(Trimmer.TICK);
        return Math.min(again, Trimmer.TICK);
    }

    /** What ended threads have left. */
    private void sweep() {
        serving.move(() -> magazines.sweep(false, serving::goHome));
    }

    /**
     * Finds for the waiters what is free anywhere, and says when to come again. What was recalled is home by the next tick. When the oldest
     * waiter was called for nothing that is unused, or in vain, all of that goes back to the budget, so that it becomes room of any size.
     */
    private long relieve() {
        supply.reclaim();
        recall.soon(slabs::eachOut);
        serving.serveAll();
        Waiters.Waiter oldest = waiters.oldest();
        if (oldest != null && oldest.calls() != 1) {
            slabs.dropUnused(0);
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
