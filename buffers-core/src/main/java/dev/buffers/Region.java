package dev.buffers;

import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One large contiguous allocation, charged to a budget. The only thing that knows raw memory.
 *
 * <p>One thread at a time (the pool's lock, or the thread that is making it).
 *
 * <p>Views of a direct buffer hold the buffer first allocated, views of a heap buffer hold its array: that object is the
 * region's base, and a region is gone when the collector has taken its base.
 */
final class Region {
    /** How long a region's bytes stay charged to the budget. */
    enum Charge {
        /** Until the collector has taken the region. */
        UNTIL_COLLECTED,
        /** Until its one lease ends: plain heap memory, which is the collector's business from then on. */
        WHILE_LEASED,
        /** Never: plain heap memory handed out beyond the cap. */
        NONE
    }

    final int bytes;
    final boolean direct;
    final Charge charge;

    private @Nullable Object base;

    Region(ByteBuffer memory, Charge charge) {
        this(memory.capacity(), memory.isDirect() ? memory : memory.array(), charge);
    }

    private Region(int bytes, Object base, Charge charge) {
        this.bytes = bytes;
        this.direct = base instanceof ByteBuffer;
        this.charge = charge;
        this.base = base;
    }

    /** A view of {@code length} bytes from {@code offset} that cannot be widened. The whole region gives a buffer of offset 0. */
    ByteBuffer view(int offset, int length) {
        ByteBuffer memory = memory();
        return offset == 0 && length == bytes ? memory.duplicate() : memory.slice(offset, length);
    }

    /** Whether a slot of {@code size} bytes can be cut from it, and, if asked, only that. */
    boolean fits(int size, boolean exactly) {
        return exactly ? bytes == size : bytes >= size;
    }

    private ByteBuffer memory() {
        Object present = base;
        if (present == null) {
            throw new IllegalStateException("region was dropped: bytes=" + bytes);
        }
        return direct ? (ByteBuffer) present : ByteBuffer.wrap((byte[]) present);
    }

    /** Lets go of plain memory, which the collector takes when nobody has it. */
    void forget() {
        base = null;
    }

    /** Lets go of the memory. What is returned stays charged until the collector has put it into {@code gone}. */
    Dropped drop(ReferenceQueue<Object> gone, Regions owner) {
        Object present = base;
        if (present == null) {
            throw new IllegalStateException("region was dropped twice: bytes=" + bytes);
        }
        Dropped dropped = new Dropped(bytes, present, gone, owner);
        base = null;
        return dropped;
    }

    /** Memory that the pool has let go of and the collector has not yet taken. */
    static final class Dropped extends PhantomReference<Object> {
        final int bytes;
        final Regions owner;
        private final WeakReference<Object> base;

        private Dropped(int bytes, Object base, ReferenceQueue<Object> gone, Regions owner) {
            super(base, gone);
            this.owner = owner;
            this.bytes = bytes;
            this.base = new WeakReference<>(base);
        }

        /** The region again, if the collector has not begun to take it. */
        @Nullable Region adopt() {
            Object present = base.get();
            if (present == null) {
                return null;
            }
            clear();
            base.clear();
            return new Region(bytes, present, Charge.UNTIL_COLLECTED);
        }
    }
}
