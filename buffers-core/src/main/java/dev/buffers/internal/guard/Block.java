package dev.buffers.internal.guard;

import dev.buffers.internal.failsafe.IntrusiveList;
import dev.buffers.internal.memory.ArenaMemory;
import dev.buffers.internal.memory.Budget;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Memory for one lease at a time, which is poisoned while it is free. The memory of an arena serves one lease only.
 *
 * <p>The thread that holds it (for a lease, or to look at it) uses its memory; the lock of {@link BlockStore} guards the rest.
 */
final class Block {
    /*
     *     FENCE bytes         capacity         FENCE bytes
     *   +--------------+-------------------+--------------+----------------+
     *   |  0xCA ...    |  what was lent    |  0xCA ...    |  0xDB ...      |     views of heap memory; the others have no fences
     *   +--------------+-------------------+--------------+----------------+
     *
     * Free, all of it is 0xDB.
     */
    static final int FENCE = 64;

    /** What {@link #changedAt} and {@link #overrunAt} return when nothing has changed. */
    static final int NOWHERE = Integer.MIN_VALUE;

    private static final byte[] POISON = filled(0xDB);
    private static final byte[] CANARY = filled(0xCA);
    private static final byte[] ZERO = filled(0);

    /** Where it is. */
    enum Place {
        LEASED,
        ASIDE,
        FREE,
        DROPPED,
        GONE
    }

    /** Is told when the memory of a block is gone. */
    interface Owner {
        void gone(Block block);
    }

    /** By size class; that of oversize memory is the last. */
    final int row;

    /** Charged to the budget, without the fences. */
    final int bytes;

    final IntrusiveList.Link<Block> link = new IntrusiveList.Link<>(this);
    Place place = Place.GONE;

    /** Of the lease that has it, or had it last. */
    int lentRow;

    int capacity;

    /** Since when it is not leased. */
    long since;

    private @Nullable Charge charge;

    /** The base of all views; null for an arena, before its allocation, and once the block was dropped. */
    private @Nullable ByteBuffer memory;

    private int fence;

    /** The last lease on it; null while it was never released. */
    private @Nullable Trace last;

    Block(int row, int bytes) {
        this.row = row;
        this.bytes = bytes;
        this.lentRow = row;
        this.capacity = bytes;
    }

    private static byte[] filled(int value) {
        byte[] row = new byte[4096];
        Arrays.fill(row, (byte) value);
        return row;
    }

    boolean hasMemory() {
        return memory != null;
    }

    /** Whether it was charged to a budget; that beyond the cap never is. */
    boolean isCharged() {
        return charge != null;
    }

    @Nullable Trace last() {
        return last;
    }

    /** Gives it its memory. */
    void allocated(ByteBuffer its, int fences) {
        memory = its;
        fence = fences;
    }

    /** Notes that its bytes are charged until {@code base}, or {@code arena}, is gone. */
    void charged(Object base, @Nullable ArenaMemory arena, Budget budget, Owner owner) {
        charge = new Charge(this, base, arena, budget, owner);
    }

    /** A new view of the part that is lent, between new fences. */
    ByteBuffer view() {
        ByteBuffer all = all();
        fill(all, 0, fence, CANARY);
        fill(all, fence + capacity, fence, CANARY);
        return capacity == all.capacity() ? all.duplicate() : all.slice(fence, capacity);
    }

    /** The first changed byte of the fences, counted from the lent part's end if it is behind, from its start, negative, if before. */
    int overrunAt() {
        int behind = firstChanged(fence + capacity, fence, CANARY);
        int before = firstChanged(0, fence, CANARY);
        return behind >= 0 ? behind : before >= 0 ? before - fence : NOWHERE;
    }

    /** Overwrites all of it, after the lease of this trace. */
    void poison(@Nullable Trace trace) {
        ByteBuffer all = all();
        fill(all, 0, all.capacity(), POISON);
        last = trace;
    }

    /** The first byte that was changed since it was poisoned, counted from the start of what was lent; repairs it. */
    int changedAt() {
        ByteBuffer all = all();
        int at = last == null ? -1 : firstChanged(0, all.capacity(), POISON);
        if (at >= 0) {
            fill(all, 0, all.capacity(), POISON);
        }
        return at >= 0 ? at - fence : NOWHERE;
    }

    private ByteBuffer all() {
        ByteBuffer present = memory;
        if (present == null) {
            throw new IllegalStateException("block has no memory: bytes=" + bytes);
        }
        return present;
    }

    static void zero(ByteBuffer view) {
        fill(view, 0, view.capacity(), ZERO);
    }

    /** Allocates nothing. Uses the capacity, whatever position and limit are, so the buffer must be clear. */
    private static void fill(ByteBuffer all, int from, int length, byte[] row) {
        int at = from;
        for (int left = length; left > 0; ) {
            int n = Math.min(left, row.length);
            all.put(at, row, 0, n);
            at += n;
            left -= n;
        }
    }

    private int firstChanged(int from, int length, byte[] row) {
        ByteBuffer part = all().slice(from, length);
        ByteBuffer expected = ByteBuffer.wrap(row);
        while (part.hasRemaining()) {
            int n = Math.min(part.remaining(), row.length);
            int at = part.slice(part.position(), n).mismatch(expected.limit(n));
            if (at >= 0) {
                return part.position() + at;
            }
            part.position(part.position() + n);
        }
        return -1;
    }

    // ---------------------------------------------------------------- the end of its memory

    /** Leaves the memory to the collector. */
    void forget() {
        memory = null;
    }

    /** Takes it back from the collector, if that has not begun to take it. */
    boolean adopt() {
        Object base = charge == null ? null : charge.base.get();
        if (base == null) {
            return false;
        }
        memory = base instanceof byte[] array ? ByteBuffer.wrap(array) : (ByteBuffer) base;
        return true;
    }

    /** Closes its arena, or leaves plain memory to the collector, and credits its bytes. False while an I/O is using it. */
    boolean end() {
        return charge != null && charge.end();
    }

    /** Credits the memory that is gone, of any pool, and tries again to close arenas. True when some bytes were credited. */
    static boolean collect() {
        return Charge.collect();
    }

    /**
     * Bytes that stay charged until their memory is gone. Holds no memory, and is held by no pool: a pool that is forgotten does not take its
     * charges with it.
     */
    private static final class Charge extends PhantomReference<Object> {
        private static final ReferenceQueue<Object> COLLECTED = new ReferenceQueue<>();

        /** The lock of both lists. */
        private static final Object LOCK = new Object();

        private static final IntrusiveList<Charge> TRACKED = new IntrusiveList<>();

        /** Those whose arena an I/O was using. */
        private static final IntrusiveList<Charge> CLOSING = new IntrusiveList<>();

        final WeakReference<Object> base;

        private final @Nullable ArenaMemory arena;
        private final Budget budget;
        private final int bytes;
        private final WeakReference<Owner> owner;
        private final WeakReference<Block> block;
        private final IntrusiveList.Link<Charge> link = new IntrusiveList.Link<>(this);

        /** Whether a thread is ending it. */
        private final AtomicBoolean busy = new AtomicBoolean();

        /** Used by the thread that has set {@link #busy}. */
        private boolean ended;

        Charge(Block block, Object base, @Nullable ArenaMemory arena, Budget budget, Owner owner) {
            super(base, COLLECTED);
            this.base = new WeakReference<>(base);
            this.arena = arena;
            this.budget = budget;
            this.bytes = block.bytes;
            this.owner = new WeakReference<>(owner);
            this.block = new WeakReference<>(block);
            synchronized (LOCK) {
                TRACKED.add(link);
            }
        }

        static boolean collect() {
            boolean any = false;
            for (Reference<?> taken = COLLECTED.poll(); taken != null; taken = COLLECTED.poll()) {
                any |= ((Charge) taken).end();
            }
            for (Charge next = closingAfter(null); next != null; ) {
                Charge after = closingAfter(next);
                any |= next.end();
                next = after;
            }
            return any;
        }

        private static @Nullable Charge closingAfter(@Nullable Charge before) {
            synchronized (LOCK) {
                IntrusiveList.Link<Charge> next = before == null ? CLOSING.first() : before.link.next();
                return next == null || !CLOSING.has(next) ? null : next.it;
            }
        }

        boolean end() {
            if (!busy.compareAndSet(false, true)) {
                return false;
            }
            try {
                if (ended) {
                    return false;
                }
                boolean closed = arena == null || arena.tryClose();
                synchronized (LOCK) {
                    if (closed) {
                        link.leave();
                    } else {
                        CLOSING.add(link);
                    }
                }
                if (!closed) {
                    return false;
                }
                ended = true;
            } finally {
                busy.set(false);
            }
            clear();
            Block its = block.get();
            Owner present = owner.get();
            if (its != null && present != null) {
                present.gone(its);
            }
            budget.credit(bytes);
            return true;
        }
    }
}
