package dev.buffers;

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
                return false;
            }
            if (charged.compareAndSet(now, now + bytes)) {
                return true;
            }
        }
    }

    void credit(long bytes) {
        charged.addAndGet(-bytes);
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
