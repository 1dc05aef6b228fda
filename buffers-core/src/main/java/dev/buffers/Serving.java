package dev.buffers;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;

/**
 * Where free slots and unused regions go: to who waits, in their order, or home.
 *
 * <p>Any thread, with no lock held: wake-ups are the user's.
 */
final class Serving {
    /*
     *   a slot has come free     -> the first who waits for its class; home when nobody does
     *   it empties its region    -> the oldest who waits, for whatever class
     *   bytes have come back     -> the oldest whom they suffice is told to look for itself
     *
     * A thread is given its slot or region (Waiters, W1); a wake-up is called once what it is called for lies open. What
     * is in a thread's hands on that way nobody else can see: `moving` says so to an acquire that would be refused.
     */
    /** How long an acquire waits, before it is refused, for memory that others are just moving. */
    private static final long MOVING_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private final SlabPool pool;
    private final SizeClasses classes;
    private final Regions regions;
    private final Slabs slabs;
    private final Waiters waiters;
    private final boolean views;

    /** How many threads have slots or regions in their hands that nobody else can see; no user code runs meanwhile. */
    private final AtomicInteger moving = new AtomicInteger();

    /** Slots of each class that wake-ups were called for since the last tick: they are not laid open to others so soon. */
    private final AtomicIntegerArray promised;

    Serving(SlabPool pool, SizeClasses classes, Regions regions, Slabs slabs, Waiters waiters) {
        this.pool = pool;
        this.classes = classes;
        this.regions = regions;
        this.slabs = slabs;
        this.waiters = waiters;
        this.views = pool.settings().policy().views();
        this.promised = new AtomicIntegerArray(classes.count());
    }

    /** Brings free slots of one class home, or straight to who waits for them. */
    void goHome(Slot[] slots, int count) {
        if (count == 0) {
            return;
        }
        int sizeClass = slots[0].sizeClass();
        List<Waiters.Waiter> due = List.of();
        int left = count;
        if (pool.isUnderPressure()) {
            due = new ArrayList<>();
            left = handOver(slots, count, due);
        }
        int unused = slabs.comeHome(slots, left);
        if (pool.isUnderPressure()) {
            if (unused > 0 && due.isEmpty()) {
                serveRoom(true, 0);
            } else if (unused > 0) {
                serveRoom(false, unused - (long) due.size() * slots[0].size());
            }
            if (left > due.size()) { // whoever came to wait since has looked before these were there
                handOut(sizeClass, left - due.size());
            }
        }
        due.forEach(waiters::wake);
    }

    /**
     * Gives slots to the threads that wait for their class. Moves the others to the start, says how many, and adds the wake-ups
     * to {@code due} that are to be called when those are at home.
     */
    private int handOver(Slot[] slots, int count, List<Waiters.Waiter> due) {
        int left = 0;
        for (int i = 0; i < count; i++) {
            Slot slot = slots[i];
            int sizeClass = slot.sizeClass();
            boolean may = sizeClass != SizeClasses.OVERSIZE
                    && slabs.mayHandOver(slot.slab, () -> waiters.isOldest(sizeClass));
            if (!may || !waiters.isAnyone(sizeClass)) {
                slots[left++] = slot;
                continue;
            }
            ByteBuffer view = slot.beginAndTake(); // so that nobody recalls it before the waiter runs
            if (view == null) {
                continue; // a husk: its memory has been recalled
            }
            Waiters.Waiter waiter = waiters.handOver(new Waiters.Gift(slot, view));
            if (waiter == null || !waiter.isThread()) {
                slot.endUnused();
                slot.viewRelease(view);
                slots[left++] = slot;
            }
            if (waiter != null && !waiter.isThread()) {
                due.add(waiter);
                promised.incrementAndGet(sizeClass);
            }
        }
        return left;
    }

    /** Gives who waits for a class at most so many slots that are at home. */
    void handOut(int sizeClass, int most) {
        if (most <= 0 || sizeClass == SizeClasses.OVERSIZE || !waiters.isAnyone(sizeClass)) {
            return;
        }
        move(() -> {
            List<Waiters.Waiter> due = new ArrayList<>();
            Slot[] one = new Slot[1];
            int left = Math.min(most, slabs.atHome(sizeClass));
            for (boolean more = true; more && left > 0; left--) {
                if (waiters.isThreadFirst(sizeClass)) {
                    int n = slabs.take(sizeClass, one, 1);
                    more = n > 0 && handOver(one, n, due) == 0;
                    slabs.comeHome(one, n > 0 && !more ? 1 : 0); // who was first has just gone
                } else {
                    Waiters.Waiter wake = waiters.pollWakeUp(sizeClass);
                    more = wake != null && due.add(wake);
                    promised.addAndGet(sizeClass, more ? 1 : 0);
                }
            }
            due.forEach(waiters::wake);
        });
    }

    /**
     * Serves all who wait, whatever for, the oldest first: with unused regions and dropped ones, if there may be any; where the
     * cap has room, or {@code open} bytes lie ready that wake-ups were called for, they are told to look for themselves.
     */
    void serveRoom(boolean unused, long open) {
        move(() -> serveNow(unused, open));
    }

    private void serveNow(boolean unused, long open) {
        long room = regions.room();
        long ready = open;
        int none = unused ? Integer.MAX_VALUE : 0;
        if (!unused && ready <= 0 && room <= 0) {
            return;
        }
        long[] slots = new long[classes.count() + 1];
        List<Region> opened = new ArrayList<>();
        List<Waiters.Waiter> due = new ArrayList<>();
        for (Waiters.Waiter waiter : waiters.all()) {
            int bytes = Math.max(1, waiter.bytes);
            int row = waiter.sizeClass - SizeClasses.OVERSIZE;
            if (waiter.isThread() ? slots[row] > 0 : bytes <= ready) {
                slots[row]--;
                ready -= waiter.isThread() ? 0 : bytes;
                if (!waiter.isThread()) {
                    due.add(waiter);
                }
                continue;
            }
            Region region = bytes < none ? unused(bytes, waiter.sizeClass) : null;
            if (region == null) {
                none = Math.min(none, bytes);
                if (bytes <= room) {
                    room -= bytes;
                    due.add(waiter);
                }
            } else if (!waiter.isThread()) {
                opened.add(region);
                ready += region.bytes - bytes;
                due.add(waiter);
            } else if (waiters.give(waiter, region)) {
                slots[row] = row == 0 ? 0 : region.bytes / bytes - 1; // whoever has it serves the others of its class
            } else {
                opened.add(region);
            }
        }
        opened.forEach(slabs::addUncut);
        if (!opened.isEmpty() && pool.isClosed()) {
            slabs.close(false);
        }
        boolean gone = false;
        for (Waiters.Waiter waiter : due) {
            gone |= !waiters.call(waiter);
        }
        if (gone) {
            serveNow(unused, open); // what was meant for it is for those behind it
        }
    }

    /** Runs what has slots or regions in its hands; the wake-ups that follow from it come after it. */
    void move(Runnable work) {
        waiters.batch(() -> carry(work));
    }

    void carry(Runnable work) {
        moving.incrementAndGet();
        try {
            work.run();
        } finally {
            moving.decrementAndGet();
        }
    }

    /**
     * Whether an acquire that found nothing should look again: others had free memory in their hands, or the collector has begun to
     * take a dropped region and the budget has not heard of it. Waits for them, but not for long.
     */
    @SuppressWarnings("ThreadPriorityCheck") // with one core, whom it waits for could not run otherwise
    boolean othersMove() {
        long start = System.nanoTime();
        boolean heard = regions.makeRoom(pool.settings().regionSize());
        boolean moved = false;
        while (!heard && (moving.get() > 0 || regions.isDying()) && System.nanoTime() - start < MOVING_NANOS) {
            Thread.yield();
            moved |= moving.get() == 0;
            heard = regions.collect() > 0;
        }
        return heard || moved && moving.get() == 0 && !regions.isDying();
    }

    /** Gives back what was dropped (as {@link Regions#close} says), and tells who waits for the room. With no lock held. */
    void closeDropped() {
        closeDropped(Long.MAX_VALUE);
    }

    /** The same for about so many nanoseconds; the tick does the rest. */
    void closeDropped(long nanos) {
        if (regions.close(nanos) && pool.isUnderPressure()) {
            serveRoom(false, 0);
        }
    }

    /** The same of what ended as this slot came home or was retired. */
    void closeDropped(Slot slot) {
        if (slot.slab.isEmptied() && regions.closeOne() && pool.isUnderPressure()) {
            serveRoom(false, 0);
        }
    }

    /** The same for slots that nobody has used since they were last looked at. */
    void goHomeQuietly(Slot[] slots, int count) {
        if (pool.isUnderPressure()) {
            goHome(slots, count);
            return;
        }
        slabs.comeHome(slots, count, true);
        if (count > 0 && pool.isUnderPressure()) { // whoever came to wait since has looked before these were there
            serveRoom(true, 0);
            handOut(slots[0].sizeClass(), count);
        }
    }

    /** Gives who waits whatever lies open, other than what wake-ups were just called for. */
    void serveAll() {
        boolean any = false;
        for (int c = 0; c < promised.length(); c++) {
            any |= promised.get(c) > 0;
        }
        serveRoom(!any, 0);
        for (int c = 0; c < classes.count(); c++) {
            handOut(c, slabs.atHome(c) - promised.get(c));
        }
    }

    /** What wake-ups were called for until now is open to all. */
    void endPromises() {
        for (int c = 0; c < promised.length(); c++) {
            promised.set(c, 0);
        }
    }

    /** A region not in use, of which {@code bytes} can be cut for a class or for none; null when there is none. */
    private @Nullable Region unused(int bytes, int sizeClass) {
        boolean alone = sizeClass == SizeClasses.OVERSIZE;
        Region region = slabs.takeUnused(bytes, !views && !alone);
        int most = views ? Integer.MAX_VALUE : alone ? Growth.mostAlone(bytes) : bytes;
        return region != null ? region : regions.adopt(bytes, most);
    }
}
