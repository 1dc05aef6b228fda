package dev.buffers.internal.cache;

import dev.buffers.internal.slab.Slot;
import dev.buffers.internal.slab.SlotConsumer;
import org.jctools.queues.varhandle.MpmcVarHandleArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * One size class's free slots between the threads: full batches, and a few loose slots for those who have no magazine
 * (the depot of Bonwick and Adams, USENIX 2001).
 *
 * <p>Any thread, without a lock. The queues are JCTools' and their relaxed methods are used: a take may miss a slot that
 * another thread is just putting in, and a put may find a queue full that is just being emptied. The caller then goes to
 * the next source; nobody spins behind a thread that was preempted. A slot is handed on with its view: put and take are a
 * release and an acquire.
 */
public final class Depot {
    /*
     *   magazine, full    --putBatch-->   full   [ssss] [ssss] ...      --takeBatch-->  magazine, empty
     *                     <-emptyBatch-   empty  [....] [....] ...      <--putEmpty---
     *   no magazine       --putLoose-->   loose  s s s ...              --takeLoose-->  no magazine
     *
     * D1  Every element of an array in `full` is a free slot, and nobody else owns it; what an array in `empty` holds means nothing.
     * D2  BATCHES arrays and LOOSE slots at most; what finds no room goes home.
     * D3  A slot here may have been revoked (Revocation), and is a revoked slot then: who takes it finds out.
     *
     *   field                written by  mode                    read by    mode
     *   elements of a queue  who puts    release (relaxedOffer)  who takes  acquire (relaxedPoll)
     *   lastFull, lastLoose  the tick    plain                   the tick   plain
     *
     * Losses: none. A take that misses, or a put that is turned away, costs a way to the next source.
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

    /* By the tick alone. */
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

    /** An array whose every element is a free slot, now the caller's. */
    public Slot @Nullable [] takeBatch() {
        return full == null ? null : full.relaxedPoll();
    }

    /** The same into an array of the caller's; says how many slots. */
    public int unpackBatch(Slot[] into) {
        Slot[] batch = takeBatch();
        if (batch == null) {
            return 0;
        }
        System.arraycopy(batch, 0, into, 0, batch.length);
        putEmpty(batch);
        return batch.length;
    }

    /** Gives an array full of free slots; false when there is no room. */
    public boolean putBatch(Slot[] batch) {
        return full != null && full.relaxedOffer(batch);
    }

    /** An array of batch size, whatever it holds. */
    public Slot[] emptyBatch() {
        Slot[] batch = empty == null ? null : empty.relaxedPoll();
        return batch == null ? new Slot[batchSize] : batch;
    }

    /** Gives back an array that {@link #emptyBatch} may hand out again. */
    public void putEmpty(Slot[] batch) {
        if (empty != null) {
            empty.relaxedOffer(batch);
        }
    }

    /** Moves one loose slot to the start of {@code into}; says how many that were, 1 or 0. */
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
     * By the tick: moves what nobody has needed since it was last called into {@code sink}: as much as lay here then and lies
     * here now (the working set of Bonwick and Adams, section 3.4).
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
