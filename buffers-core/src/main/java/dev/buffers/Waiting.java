package dev.buffers;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * An acquire that has patience, and {@code whenAvailable}: from the first look for room to the gift, the wake-up or the refusal.
 *
 * <p>The thread that waits. With no lock held: what it does on its way may call wake-ups.
 */
final class Waiting {
    /*
     * look -> stand in the queue (Waiters) -> first of its class, or called: look again -> given: take it -> else park
     *
     * Who leaves passes on what it was given and does not need, and serves those behind it.
     */
    private final SlabPool pool;
    private final Regions regions;
    private final Slabs slabs;
    private final Waiters waiters;
    private final Serving serving;
    private final Growth growth;
    private final Upkeep upkeep;
    private final Supply supply;
    private final boolean pooled;

    Waiting(
            SlabPool pool,
            Regions regions,
            Slabs slabs,
            Waiters waiters,
            Serving serving,
            Growth growth,
            Upkeep upkeep,
            Supply supply,
            boolean pooled) {
        this.pool = pool;
        this.regions = regions;
        this.slabs = slabs;
        this.waiters = waiters;
        this.serving = serving;
        this.growth = growth;
        this.upkeep = upkeep;
        this.supply = supply;
        this.pooled = pooled;
    }

    /** Patience as it is counted here. */
    static long nanos(Duration patience) {
        if (patience.isNegative()) {
            throw new IllegalArgumentException("patience must not be negative: patience=" + patience);
        }
        try {
            return patience.toNanos();
        } catch (ArithmeticException e) {
            return Long.MAX_VALUE;
        }
    }

    /**
     * A slot whose tenancy has begun, counted: waits for it for at most so many nanoseconds. Whoever comes while others wait for the same
     * goes behind them.
     *
     * @throws PoolExhaustedException when that was not enough, or the thread was interrupted, whose flag is then up
     */
    Waiters.Gift findOrWait(int size, int sizeClass, long patienceNanos) {
        pool.checkCaller();
        supply.checkCanBeHad(size, sizeClass);
        int waitsFor = waitsFor(sizeClass);
        if (!waiters.isAnyone(waitsFor)) {
            Slot slot = supply.find(size, sizeClass, null, Supply.Asker.WAITS);
            if (slot != null) {
                return new Waiters.Gift(slot, null);
            }
        }
        if (patienceNanos == 0) {
            throw supply.refused(size, "");
        }
        return await(size, sizeClass, new Waiters.Waiter(supply.bytesFor(size, sizeClass), waitsFor), patienceNanos);
    }

    private Waiters.Gift await(int size, int sizeClass, Waiters.Waiter waiter, long patienceNanos) {
        Object flight = FlightEvents.waitBegins();
        boolean interrupted = false;
        Slot slot = null;
        waiters.add(waiter);
        Trimmer.hurry();
        try {
            boolean look = waiters.isFirst(waiter);
            while (slot == null) {
                Object gift = waiter.gift();
                if (gift != null) {
                    slot = gift instanceof Region region ? present(cut(region, sizeClass)) : ((Waiters.Gift) gift).slot;
                    if (slot == null) {
                        waiters.add(waiter);
                        look = waiters.isFirst(waiter);
                    }
                } else if (look || waiter.mayLook()) { // finding takes locks, which may use up an unpark
                    look = false;
                    slot = present(supply.find(size, sizeClass, null, Supply.Asker.WAITS));
                } else {
                    pool.checkCaller();
                    long left = patienceNanos - (System.nanoTime() - waiter.since);
                    if (left > 0 && !interrupted) {
                        LockSupport.parkNanos(pool, left);
                        interrupted = Thread.interrupted();
                    } else if (waiters.remove(waiter)) { // else a gift has just come
                        throw supply.refused(
                                size, (interrupted ? "interrupted after " : "waited ") + waited(waiter) + ", ");
                    }
                }
            }
            if (waiter.gift() instanceof Waiters.Gift gift && gift.slot == slot) {
                pool.counters.acquired(AcquireOutcome.DEPOT, slot.sizeClass());
                return gift;
            }
            return new Waiters.Gift(slot, null);
        } finally {
            Object gift = waiters.remove(waiter) ? null : waiter.gift();
            upkeep.gone(waiter);
            if (gift instanceof Region region) {
                if (slot == null || region != slot.slab.region) {
                    passOn(region);
                }
            } else if (gift instanceof Waiters.Gift given && given.slot != slot) {
                given.slot.endUnused();
                given.slot.viewRelease(given.view);
                serving.goHome(new Slot[] {given.slot}, 1);
            }
            serveBehind(waiter, slot != null);
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            pool.counters.waited(System.nanoTime() - waiter.since);
            FlightEvents.waitEnded(flight, pool.name(), size, slot != null);
        }
    }

    /**
     * By who waits no more: what lies beside its slot, or what it was told of and has not taken, is for those behind it. With no
     * memory for that the tick does it.
     */
    private void serveBehind(Waiters.Waiter waiter, boolean served) {
        try {
            if (!pool.isUnderPressure() || pool.isClosed()) {
                return;
            }
            if (served) {
                serving.handOut(waiter.sizeClass, Integer.MAX_VALUE);
            } else if (waiter.wasCalled()) {
                serving.serveAll();
            }
        } catch (OutOfMemoryError e) {
            Trimmer.hurry();
        }
    }

    private static String waited(Waiters.Waiter waiter) {
        return DurationText.of(Duration.ofMillis(Math.max(1, (System.nanoTime() - waiter.since) / 1_000_000)));
    }

    /** The same slot; null, and it is dropped, when it is a husk already: then the waiter keeps its place. */
    private @Nullable Slot present(@Nullable Slot slot) {
        if (slot != null && slot.abandonIfHusk()) {
            supply.husk(slot, AcquireOutcome.DEPOT);
            return null;
        }
        return slot;
    }

    /** A slot of a region that was given, its tenancy begun; null when there is no heap to cut it. */
    private @Nullable Slot cut(Region region, int sizeClass) {
        return sizeClass == SizeClasses.OVERSIZE
                ? growth.alone(region, region.bytes, AcquireOutcome.OVERSIZE)
                : growth.cutForOne(region, sizeClass);
    }

    /** A region that was given to somebody who does not need it any more. */
    private void passOn(Region region) {
        slabs.addUncut(region);
        if (pool.isClosed()) {
            supply.closeSlabs();
        }
        serving.serveRoom(true, 0);
    }

    /** The class in which one waits: nothing but {@code oversize} when the policy pools nothing. */
    private int waitsFor(int sizeClass) {
        return pooled ? sizeClass : SizeClasses.OVERSIZE;
    }

    void whenAvailable(int size, int sizeClass, Runnable wake) {
        supply.checkCanBeWaitedFor(size, sizeClass);
        int waitsFor = waitsFor(sizeClass);
        Waiters.Waiter waiter = new Waiters.Waiter(supply.bytesFor(size, sizeClass), waitsFor, wake);
        if (!waiters.isAnyone(waitsFor) && hasRoom(size, waitsFor)) {
            waiters.wake(waiter); // by the calling thread: once it stands in the queue, the tick might
            return;
        }
        waiters.add(waiter);
        boolean now = true;
        try {
            now = waiters.isFirst(waiter) && hasRoom(size, waitsFor) || pool.isClosed();
        } finally {
            now = now && waiters.remove(waiter); // also when looking for room has failed: then nobody waits
        }
        if (now) {
            waiters.wake(waiter);
        } else {
            Trimmer.hurry();
        }
    }

    private boolean hasRoom(int size, int sizeClass) {
        if (sizeClass != SizeClasses.OVERSIZE) {
            Slot[] one = new Slot[1];
            int n = growth.reclaimAndTake(sizeClass, one, 1);
            n = n == 0 ? Math.abs(supply.grow(sizeClass, one, 1)) : n;
            serving.goHome(one, n);
            return n > 0;
        }
        Region region = pooled ? growth.reserveAlone(size) : regions.allocatePlain(size, Region.Charge.WHILE_LEASED);
        if (region != null && pooled) {
            slabs.addUncut(region);
            if (pool.isClosed()) {
                supply.closeSlabs();
            }
        } else if (region != null) {
            regions.drop(region, true);
        }
        return region != null;
    }
}
