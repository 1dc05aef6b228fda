package dev.buffers.internal.memory;

import dev.buffers.internal.failsafe.IntrusiveList;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One large contiguous allocation, charged to a budget. The only class that knows raw memory.
 *
 * <p>One thread at a time (under the pool's lock, or the thread that makes it).
 *
 * <p>Views of a direct buffer hold the buffer that was first allocated; views of a heap buffer hold its array. That object is the region's
 * base. A region is gone when the collector has taken its base or its arena was closed.
 */
public final class Region {
    /** How long a region's bytes stay charged to the budget. */
    public enum Charge {
        /** Until its memory is gone; its {@link Footprint} reports that. */
        UNTIL_GONE,
        /** Until its one lease ends: plain heap memory, left to the collector after that. */
        WHILE_LEASED,
        /** Never: plain heap memory handed out beyond the cap. */
        NONE
    }

    public final int bytes;
    public final Charge charge;

    /** Reports that the memory is gone; null for plain memory. */
    public final @Nullable Footprint footprint;

    /** The buffer that was first allocated; null once the region was dropped. A field, so that no view is cut from a temporary object. */
    private @Nullable ByteBuffer memory;

    /** Its place in the list of uncut regions. Used by {@code SlabStore}. */
    public final IntrusiveList.Link<Region> link = new IntrusiveList.Link<>(this);

    /** Since when it is uncut, in {@link System#nanoTime} terms; 0 before the first call of {@link #uncutFor} since then. */
    private long uncutSince;

    /** A region of plain heap memory. */
    public Region(ByteBuffer memory, Charge charge) {
        this(memory, charge, null);
    }

    /** A region whose footprint is put into {@code collected} when the collector has taken the memory. */
    public Region(
            ByteBuffer memory, @Nullable ArenaMemory arena, ReferenceQueue<Object> collected, RegionAllocator owner) {
        this(
                memory,
                Charge.UNTIL_GONE,
                new Footprint(memory.isDirect() ? memory : memory.array(), memory.capacity(), arena, collected, owner));
    }

    private Region(ByteBuffer memory, Charge charge, @Nullable Footprint footprint) {
        this.bytes = memory.capacity();
        this.charge = charge;
        this.memory = memory;
        this.footprint = footprint;
    }

    /** A view of {@code length} bytes from {@code offset} that cannot be widened. A view of the entire region has offset 0 in its array. */
    public ByteBuffer view(int offset, int length) {
        ByteBuffer present = memory;
        if (present == null) {
            throw new IllegalStateException("region was dropped: bytes=" + bytes);
        }
        return offset == 0 && length == bytes ? present.duplicate() : present.slice(offset, length);
    }

    /** How large a region may be that only holds one slot of {@code size} bytes. */
    public static int mostAlone(int size) {
        return (int) Math.min(Integer.MAX_VALUE, size * 5L / 4);
    }

    /** Whether a slot of {@code size} bytes can be cut from it; if {@code exactly}, whether the region has that size. */
    public boolean fits(int size, boolean exactly) {
        return exactly ? bytes == size : bytes >= size;
    }

    /** Starts the time of {@link #uncutFor} anew. */
    public void becomeUncut() {
        uncutSince = 0;
    }

    /** For how many nanoseconds it has been uncut, counted from the first call since it became so. */
    public long uncutFor(long now) {
        if (uncutSince == 0) {
            uncutSince = now == 0 ? 1 : now;
        }
        return now - uncutSince;
    }

    void forget() {
        if (memory == null) {
            throw new IllegalStateException("region was dropped twice: bytes=" + bytes);
        }
        memory = null;
    }

    /**
     * Knows of a region's memory without holding it, from its allocation until it is gone.
     *
     * <p>Held by the budget, which may outlive the pool, so it holds its pool weakly.
     */
    public static final class Footprint extends PhantomReference<Object> {
        final int bytes;

        /** Its place among the regions that are charged or wait to be closed. Used by its {@link Budget}. */
        final IntrusiveList.Link<Footprint> charged = new IntrusiveList.Link<>(this);

        /** Its place among the regions that its pool may adopt, and whether its pool has dropped it. Used by {@link RegionAllocator}. */
        final IntrusiveList.Link<Footprint> adoptable = new IntrusiveList.Link<>(this);

        boolean isDropped;

        /** The allocator of its pool, unless the collector has taken that too. */
        final WeakReference<RegionAllocator> owner;

        private final WeakReference<Object> base;
        private final @Nullable ArenaMemory arena;

        private Footprint(
                Object base,
                int bytes,
                @Nullable ArenaMemory arena,
                ReferenceQueue<Object> collected,
                RegionAllocator owner) {
            super(base, collected);
            this.bytes = bytes;
            this.base = new WeakReference<>(base);
            this.owner = new WeakReference<>(owner);
            this.arena = arena;
        }

        /** The region again, unless the collector has begun to take it. */
        @Nullable Region adopt() {
            Object present = base.get();
            if (present == null) {
                return null;
            }
            ByteBuffer memory = present instanceof byte[] array ? ByteBuffer.wrap(array) : (ByteBuffer) present;
            return new Region(memory, Charge.UNTIL_GONE, this);
        }

        /** Whether the memory is unreachable and only the collector's report is missing. */
        boolean isUnreachable() {
            return base.get() == null;
        }

        /** Whether its memory goes back at once when it is dropped. */
        boolean isPrompt() {
            return arena != null;
        }

        /** Gives the memory of an arena back to the system; one thread at a time. False while an I/O is using it. */
        boolean tryClose() {
            return arena == null || arena.tryClose();
        }
    }
}
