package dev.buffers.internal.cache;

import dev.buffers.internal.slab.Slot;
import dev.buffers.internal.slab.SlotConsumer;
import org.jctools.queues.varhandle.MpmcVarHandleArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * Free slots of one size class that all threads share: full batches, and a few loose slots for threads without a magazine (the depot of
 * Bonwick and Adams, USENIX 2001).
 *
 * <p>Any thread, without a lock. The queues are JCTools' and are used by their relaxed methods: a take may miss a slot that another thread
 * is just putting in, and a put may find a queue full that another thread is just emptying. The caller then uses the next source, so no
 * thread spins behind a preempted one. A slot is passed on with its view: a put is a release, a take is an acquire.
 */
public final class Depot {
    /*
     *   magazine, full    --putBatch-->   full   [ssss] [ssss] ...      --takeBatch-->  magazine, empty
     *                     <-emptyBatch-   empty  [....] [....] ...      <--putEmpty---
     *   no magazine       --putLoose-->   loose  s s s ...              --takeLoose-->  no magazine
     *
     * D1  Every element of an array in `full` is a free slot, owned by no thread. The elements of an array in `empty` mean nothing.
     * D2  There are at most BATCHES arrays and LOOSE slots. What finds no room is returned to its slab.
     * D3  A slot here may have been revoked (Revocation) and is then a revoked slot: the thread that takes it finds out.
     *
     *   field                written by         mode                    read by            mode
     *   elements of a queue  putting thread     release (relaxedOffer)  taking thread      acquire (relaxedPoll)
     *   lastFull, lastLoose  maintenance tick   plain                   maintenance tick   plain
     *
     * Losses: none. After a take that misses, or a put that is refused, the caller uses the next source.
     */
    private static final int BATCH_BYTES = 32 << 10;
    private static final int MOST_IN_BATCH = 32;
    private static final int BATCHED_UP_TO = 64 << 10;
    private static final int BATCHES = 64;
    private static final int LOOSE = 64;

    /** How many slots make a batch; 1 when the class is too large for batches. */
    public final int batchSize;

    private final @Nullable MpmcVarHandleArrayQueue<Slot[]> full;
    private final @Nullable MpmcVarHandleArrayQueue<Slot[]> empty;
    private final MpmcVarHandleArrayQueue<Slot> loose = new MpmcVarHandleArrayQueue<>(LOOSE);

    /* Used by the maintenance tick alone. */
    private int lastFull;
    private int lastLoose;

    public Depot(int slotSize) {
        this.batchSize = batchSize(slotSize);
        this.full = batchSize > 1 ? new MpmcVarHandleArrayQueue<>(BATCHES) : null;
        this.empty = batchSize > 1 ? new MpmcVarHandleArrayQueue<>(BATCHES) : null;
    }

    static int batchSize(int slotSize) {
        return slotSize > BATCHED_UP_TO ? 1 : Math.max(2, Math.min(MOST_IN_BATCH, BATCH_BYTES / slotSize));
    }

    /** Takes an array in which every element is a free slot; the caller owns them. Null when there is none. */
    public Slot @Nullable [] takeBatch() {
        return full == null ? null : full.relaxedPoll();
    }

    /** Takes a batch and copies it into {@code into}. Returns how many slots. */
    public int unpackBatch(Slot[] into) {
        Slot[] batch = takeBatch();
        if (batch == null) {
            return 0;
        }
        System.arraycopy(batch, 0, into, 0, batch.length);
        putEmpty(batch);
        return batch.length;
    }

    /** Puts in an array full of free slots; false when there is no room. */
    public boolean putBatch(Slot[] batch) {
        return full != null && full.relaxedOffer(batch);
    }

    /** An array of batch size, with any contents. */
    public Slot[] emptyBatch() {
        Slot[] batch = empty == null ? null : empty.relaxedPoll();
        return batch == null ? new Slot[batchSize] : batch;
    }

    /** Gives back an array, so that {@link #emptyBatch} may return it again. */
    public void putEmpty(Slot[] batch) {
        if (empty != null) {
            empty.relaxedOffer(batch);
        }
    }

    /** Moves one loose slot to the start of {@code into}. Returns how many it moved, 1 or 0. */
    public int takeLoose(Slot[] into) {
        Slot slot = loose.relaxedPoll();
        if (slot == null) {
            return 0;
        }
        into[0] = slot;
        return 1;
    }

    public boolean putLoose(Slot slot) {
        return loose.relaxedOffer(slot);
    }

    /**
     * Called by the maintenance tick: moves the slots that no thread has needed since the last call into {@code sink}. These are as many as
     * were here then and are here now (the working set of Bonwick and Adams, section 3.4).
     */
    public void reap(SlotConsumer sink) {
        int surplus = full == null ? 0 : Math.min(lastFull, full.size());
        for (int i = 0; i < surplus; i++) {
            Slot[] batch = takeBatch();
            if (batch != null) {
                sink.accept(batch, batch.length);
                putEmpty(batch);
            }
        }
        lastFull = full == null ? 0 : full.size();
        Slot[] one = new Slot[1];
        int looseSurplus = Math.min(lastLoose, loose.size());
        for (int i = 0; i < looseSurplus && takeLoose(one) > 0; i++) {
            sink.accept(one, 1);
        }
        lastLoose = loose.size();
    }

    /** Moves everything that can be taken into {@code sink}. */
    public void drain(SlotConsumer sink) {
        for (Slot[] batch = takeBatch(); batch != null; batch = takeBatch()) {
            sink.accept(batch, batch.length);
            putEmpty(batch);
        }
        Slot[] one = new Slot[1];
        while (takeLoose(one) > 0) {
            sink.accept(one, 1);
        }
    }
}
