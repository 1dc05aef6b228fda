package dev.buffers.internal.memory;

import dev.buffers.internal.failsafe.AllocationFreeLock;
import dev.buffers.internal.failsafe.IntrusiveList;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Bytes charged against a cap: the only place that says whether more memory may be allocated.
 *
 * <p>Any thread; charges and credits without a lock. Invariant: {@code 0 <= charged <= max} at every instant, because a charge is made by one
 * compare-and-set before the allocation it is for, and is given back only once that memory is gone or was never had.
 */
public final class Budget {
    /*
     *   tryCharge --> allocated, track --> drop --+-- arena of its own: `closing` --> collect closes it --> credited
     *       |                                     |     `-- an I/O still uses it: it stays there, and is tried again
     *       `--> not to be had: credit            `-- else: the collector takes it --> `gone` --> collect --> credited
     *
     * B1  0 <= charged <= max: a charge comes before its allocation, its credit after the memory has gone, or for plain heap memory
     *     after its lease has ended.
     * B2  The bytes of a footprint are credited once: by whoever takes it out of `tracked`, or of `closing`. It is in one of the two, by
     *     a link that was made with it: neither its drop nor its end can fail for want of heap.
     * B3  To close an arena takes long, since every thread of the JVM must answer. So drop, under the locks of a pool, only notes it, and
     *     collect closes it with no lock held but the footprint's own, which nobody wants but to close it. A footprint leaves `closing`
     *     when its arena is closed.
     *
     *   field             written by  mode                       read by  mode
     *   charged           anyone      compareAndSet, addAndGet   anyone   volatile
     *   tracked, closing  anyone      under the lock             under the lock
     */
    private static final Budget[] SHARED = new Budget[2];

    private final long max;
    private final AtomicLong charged = new AtomicLong();

    /** All regions that are charged here, held so that the collector's word of them is heard by whoever is left. */
    private final IntrusiveList<Region.Footprint> tracked = new IntrusiveList<>();

    /** Those that were dropped and whose arena is not closed yet. */
    private final IntrusiveList<Region.Footprint> closing = new IntrusiveList<>();

    private final AllocationFreeLock lock = new AllocationFreeLock();

    /** Where the collector puts what it has taken. */
    public final ReferenceQueue<Object> gone = new ReferenceQueue<>();

    public Budget(long max) {
        this.max = max;
    }

    /**
     * The budget of all pools of this JVM that set no {@code max} of their own, one for each kind of memory, so that two
     * pools cannot promise the same bytes. The first such pool fixes its size.
     */
    public static Budget shared(boolean direct, long max) {
        synchronized (SHARED) {
            int kind = direct ? 1 : 0;
            if (SHARED[kind] == null) {
                SHARED[kind] = new Budget(max);
            }
            return SHARED[kind];
        }
    }

    public boolean tryCharge(long bytes) {
        for (; ; ) {
            long now = charged.get();
            if (bytes > max - now) {
                if (collect(0) == 0) {
                    return false;
                }
                continue;
            }
            if (charged.compareAndSet(now, now + bytes)) {
                return true;
            }
        }
    }

    public void credit(long bytes) {
        charged.addAndGet(-bytes);
    }

    /** A region was allocated: its charge ends when its memory is gone. */
    public void track(Region.Footprint it) {
        lock.lock();
        try {
            tracked.add(it.charged);
        } finally {
            lock.unlock();
        }
    }

    /** Its pool has let go of it. */
    void drop(Region.Footprint it) {
        if (it.isPrompt()) {
            toBeClosed(it);
        }
    }

    private void toBeClosed(Region.Footprint it) {
        lock.lock();
        try {
            if (tracked.has(it.charged)) {
                closing.add(it.charged);
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Credits what is gone, of whichever pool, and closes arenas of what was dropped until there is room for so many bytes; says how many
     * bytes have gone. With 0 it closes none: who holds a lock asks for no more.
     */
    public long collect(long wanted) {
        return collect(wanted, Long.MAX_VALUE);
    }

    /** The same, but begins to close no arena when so many nanoseconds have passed. */
    long collect(long wanted, long nanos) {
        long begin = System.nanoTime();
        long bytes = 0;
        for (Reference<?> taken = gone.poll(); taken != null; taken = gone.poll()) {
            Region.Footprint it = (Region.Footprint) taken;
            if (it.isPrompt()) {
                toBeClosed(it);
            } else {
                bytes += ended(it);
            }
        }
        Region.Footprint it = closing(null);
        while (it != null && room() < wanted && System.nanoTime() - begin < nanos) {
            Region.Footprint next = closingAfter(it);
            synchronized (it) { // whoever comes second finds the room that the first has made
                if (it.tryClose()) {
                    bytes += ended(it);
                }
            }
            it = next == null ? null : closing(next);
        }
        return bytes;
    }

    /** That one if its arena is still to be closed, or else the first whose is. */
    private Region.@Nullable Footprint closing(Region.@Nullable Footprint it) {
        lock.lock();
        try {
            if (it != null && closing.has(it.charged)) {
                return it;
            }
            IntrusiveList.Link<Region.Footprint> first = closing.first();
            return first == null ? null : first.it;
        } finally {
            lock.unlock();
        }
    }

    private Region.@Nullable Footprint closingAfter(Region.Footprint it) {
        lock.lock();
        try {
            IntrusiveList.Link<Region.Footprint> next = it.charged.next();
            return next == null ? null : next.it;
        } finally {
            lock.unlock();
        }
    }

    private long ended(Region.Footprint it) {
        it.clear();
        lock.lock();
        try {
            if (!tracked.remove(it.charged) && !closing.remove(it.charged)) {
                return 0;
            }
        } finally {
            lock.unlock();
        }
        RegionAllocator owner = it.owner();
        if (owner != null) {
            owner.onGone(it);
        }
        credit(it.bytes);
        return it.bytes;
    }

    /** Whether no memory is charged here that could still go. */
    public boolean isEmpty() {
        lock.lock();
        try {
            return tracked.isEmpty() && closing.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    public long room() {
        return max - charged.get();
    }

    public long charged() {
        return charged.get();
    }

    public long max() {
        return max;
    }
}
