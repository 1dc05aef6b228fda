package dev.buffers;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bytes charged against a cap: the only place that says whether more memory may be allocated.
 *
 * <p>Any thread, lock-free. Invariant: {@code 0 <= charged <= max} at every instant, because a charge is made by one
 * compare-and-set before the allocation it is for, and is given back only once that memory is gone or was never had.
 */
final class Budget {
    private static final Budget[] SHARED = new Budget[2];

    private final long max;
    private final AtomicLong charged = new AtomicLong();

    /** Dropped regions of all pools that charge here, held so that the collector's word of them is heard by whoever is left. */
    private final Set<Region.Dropped> dropped = ConcurrentHashMap.newKeySet();

    private final ReferenceQueue<Object> gone = new ReferenceQueue<>();

    Budget(long max) {
        this.max = max;
    }

    /**
     * The budget of all pools of this JVM that set no {@code max} of their own, one for each kind of memory, so that two
     * pools cannot promise the same bytes. The first such pool fixes its size.
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

    boolean tryCharge(long bytes) {
        for (; ; ) {
            long now = charged.get();
            if (bytes > max - now) {
                if (collect() == 0) {
                    return false;
                }
                continue;
            }
            if (charged.compareAndSet(now, now + bytes)) {
                return true;
            }
        }
    }

    void credit(long bytes) {
        charged.addAndGet(-bytes);
    }

    /** A region that its pool lets go of: it stays charged until the collector has taken it. */
    Region.Dropped drop(Region region, Regions owner) {
        Region.Dropped it = region.drop(gone, owner);
        dropped.add(it);
        return it;
    }

    /** A dropped region was adopted again. */
    void adopted(Region.Dropped it) {
        dropped.remove(it);
    }

    /** Credits what the collector has taken; says how many bytes that were. */
    long collect() {
        long bytes = 0;
        for (Reference<?> taken = gone.poll(); taken != null; taken = gone.poll()) {
            Region.Dropped it = (Region.Dropped) taken;
            if (dropped.remove(it) && it.owner.taken(it)) {
                bytes += it.bytes;
                credit(it.bytes);
            }
        }
        return bytes;
    }

    long room() {
        return max - charged.get();
    }

    long charged() {
        return charged.get();
    }

    long max() {
        return max;
    }
}
