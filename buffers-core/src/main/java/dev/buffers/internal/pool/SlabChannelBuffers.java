package dev.buffers.internal.pool;

import dev.buffers.ChannelBuffers;
import dev.buffers.PooledBuffer;
import dev.buffers.internal.failsafe.StackProbe;
import dev.buffers.internal.slab.Lease;
import dev.buffers.internal.slab.ReturnStack;
import dev.buffers.internal.slab.SizeClasses;
import dev.buffers.internal.slab.Slot;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import org.jspecify.annotations.Nullable;

/** The channel buffers of a {@link SlabPool}. One thread at a time, as {@link ChannelBuffers} says. */
public final class SlabChannelBuffers extends ChannelBuffers {
    /*
     *   kept  <-- takes all, if kept is empty --  return stack  <-- release of a lease that came from here
     *
     * idle() and close() close the return stack and give back what is in it, so that no slot stays in an idle channel. The next use after
     * idle() opens it again. The slots here are free: their state says so and their view is in them, so that trim finds them as it finds
     * those in magazines.
     *
     * A leased slot refers to the return stack, never to this object: else a connection that is dropped unclosed would keep its own input
     * from being found lost.
     *
     * All fields are plain, and used by the owner.
     */
    private static final int FIRST_INPUT = 8192;
    private final SlabPool pool;
    private final ReturnStack returnStack = new ReturnStack();

    private @Nullable Lease held;
    private @Nullable ByteBuffer input;
    private @Nullable Slot kept;
    private int predicted;
    private byte smallReads;
    private boolean closed;

    SlabChannelBuffers(SlabPool pool) {
        this.pool = pool;
        this.predicted = Math.min(FIRST_INPUT, pool.maxSize());
    }

    @Override
    public ByteBuffer input() {
        ByteBuffer present = input;
        return present != null ? present : input(0);
    }

    @Override
    public ByteBuffer input(int room) {
        if (room < 0) {
            throw new IllegalArgumentException("room must not be negative: room=" + room);
        }
        ByteBuffer present = input;
        int unread = present == null ? 0 : present.position();
        if (present != null && present.remaining() >= room) {
            return present;
        }
        if (room > pool.maxSize() - unread) {
            throw new IllegalArgumentException("room is more than max-size allows: room=" + room + ", unread=" + unread
                    + ", max-size=" + pool.maxSize());
        }
        if (present == null) {
            return room > predicted ? hold(acquireHere(room)) : open(room);
        }
        StackProbe.check();
        Lease larger = acquireHere(unread + room);
        larger.buffer().clear().put(present.flip());
        return holdInstead(larger, unread);
    }

    @Override
    public int readFrom(ReadableByteChannel channel) throws IOException {
        ByteBuffer present = input;
        ByteBuffer into = present != null ? present : input(0);
        if (into.position() == 0 && into.capacity() < predicted) {
            StackProbe.check();
            Lease larger = tryAcquireHere(predicted);
            if (larger != null) {
                into = holdInstead(larger, 0);
            }
        }
        int room = into.remaining();
        if (room == 0) {
            throw new IllegalStateException(
                    "input is full: unread=" + into.position() + ", capacity=" + into.capacity());
        }
        int n = channel.read(into);
        if (n >= 0) {
            learn(n, into.capacity());
        }
        return n;
    }

    @Override
    public PooledBuffer handOffInput() {
        ByteBuffer present = input;
        Lease lease = held;
        if (present == null || lease == null || present.position() == 0) {
            throw new IllegalStateException(closed ? "channel buffers are closed" : "nothing to hand off: unread=0");
        }
        present.flip();
        input = null;
        held = null;
        return comesBack(lease);
    }

    @Override
    public PooledBuffer handOffInput(int n) {
        ByteBuffer present = input;
        int unread = present == null ? 0 : present.position();
        if (n < 1 || n > unread || present == null) {
            throw new IllegalArgumentException("cannot hand off: n=" + n + ", unread=" + unread);
        }
        if (n == unread) {
            return handOffInput();
        }
        StackProbe.check();
        Lease rest = acquireHere(Math.max(unread - n, Math.min(predicted, present.capacity())));
        ByteBuffer next = rest.buffer().clear();
        next.put(0, present, n, unread - n);
        present.position(n);
        PooledBuffer lease = handOffInput();
        hold(rest).position(unread - n);
        return lease;
    }

    @Override
    public PooledBuffer acquire(int size) {
        return acquireHere(size);
    }

    private Lease acquireHere(int size) {
        Lease lease = tryAcquireHere(size);
        if (lease == null) {
            giveBack(); // a slot kept here for another size must not cause a refusal
            lease = comesBack((Lease) pool.acquire(size));
        }
        return lease;
    }

    /** A lease of a slot that came back to this channel, or else of one of the pool; null at the cap. */
    private @Nullable Lease tryAcquireHere(int size) {
        if (closed) {
            throw new IllegalStateException("channel buffers are closed");
        }
        pool.checkCaller();
        if (size < 0) {
            throw new IllegalArgumentException("size must not be negative: size=" + size);
        }
        for (Slot slot = takeKept(size); slot != null; slot = takeKept(size)) {
            Lease returned = pool.leaseReturned(slot, size);
            if (returned != null) {
                return comesBack(returned);
            }
        }
        Lease lease = pool.tryAcquire(size, SlowAcquire.AtCap.RETURN_NULL);
        return lease == null ? null : comesBack(lease);
    }

    private Lease comesBack(Lease lease) {
        lease.returnTo(returnStack);
        returnStack.open();
        return lease;
    }

    @Override
    public void idle() {
        idleOrClose(false);
    }

    @Override
    public void close() {
        idleOrClose(true);
    }

    private void idleOrClose(boolean closing) {
        closed |= closing;
        ByteBuffer present = input;
        if (closing || present != null && present.position() == 0) {
            endInput();
        }
        giveBack();
    }

    /**
     * A new input of the predicted size. If there is no room for that, its size is the first size of inputs, or {@code room} if that is
     * more.
     */
    private ByteBuffer open(int room) {
        Lease lease = predicted == FIRST_INPUT ? null : tryAcquireHere(predicted);
        return hold(lease != null ? lease : acquireHere(Math.max(room, Math.min(FIRST_INPUT, pool.maxSize()))));
    }

    private ByteBuffer hold(Lease lease) {
        lease.returnTo(null); // until it is handed off: only this thread ends it here
        held = lease;
        input = lease.buffer().clear();
        return input;
    }

    /** Holds this lease instead of the present one, and ends that. If its end fails, the new one is held all the same. */
    private ByteBuffer holdInstead(Lease lease, int unread) {
        Lease before = held;
        ByteBuffer into = hold(lease).position(unread);
        if (before != null) {
            before.close();
        }
        return into;
    }

    private void endInput() {
        Lease lease = held;
        input = null;
        held = null;
        if (lease != null) {
            lease.close();
        }
    }

    /** A kept slot that holds {@code size} bytes and wastes at most half of its own; the caller owns it. Null without one. */
    private @Nullable Slot takeKept(int size) {
        kept = kept == null ? returnStack.takeAll() : kept;
        Slot before = null;
        for (Slot slot = kept; slot != null; slot = slot.next) {
            if (slot.size() >= size && slot.size() / 2 <= Math.max(size, SizeClasses.MIN_SIZE)) {
                if (before == null) {
                    kept = slot.next;
                } else {
                    before.next = slot.next;
                }
                slot.next = null;
                return slot;
            }
            before = slot;
        }
        return null;
    }

    private void giveBack() {
        giveBack(returnStack.close());
        Slot mine = kept;
        kept = null; // before: what comes back may call a wake-up, which may use this channel
        giveBack(mine);
    }

    private void giveBack(@Nullable Slot first) {
        Slot slot = first;
        while (slot != null) {
            Slot next = slot.next;
            slot.next = null;
            pool.giveBackFree(slot);
            slot = next;
        }
    }

    /** Doubles the predicted size after a read that filled the buffer; halves it after two in a row that used less than a quarter. */
    private void learn(int n, int capacity) {
        if (n == capacity) {
            predicted = (int) Math.min(pool.maxSize(), 2L * capacity);
            smallReads = 0;
        } else if (n < capacity / 4 && capacity > FIRST_INPUT / 4) {
            if (++smallReads >= 2) {
                predicted = Math.max(FIRST_INPUT / 4, capacity / 2);
                smallReads = 0;
            }
        } else {
            smallReads = 0;
        }
    }
}
