package dev.buffers;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import org.jspecify.annotations.Nullable;

/**
 * What one connection keeps between its readiness events: its read buffer, and a few buffers that came back to it.
 *
 * <p><b>Threads.</b> One at a time: the thread that serves the channel. Passing it to another needs a happens-before edge, as
 * handing it through a selector or a queue gives. The leases that it gives out may be released by any thread.
 *
 * <p><b>Ownership.</b> The buffer of {@link #input} stays this object's. Leases of {@link #handOffInput} and {@link #acquire}
 * are the caller's, who ends each exactly once; their memory comes back here first. {@link #close} ends what is held here, not
 * leases that are out.
 *
 * <p><b>Cost.</b> {@code input()} of a busy channel is a field read. After {@link #idle} a channel with nothing unread holds no
 * slot, and at most 80 bytes.
 */
public final class ChannelBuffers implements AutoCloseable {
    /*
     *   kept  <-- takes all, if kept is empty --  lane (ReturnStack)  <-- release of a lease that came from here
     *
     * idle() and close() close the lane and give back what was in it, so that no slot is ever left in a channel that is
     * silent; the next use after idle() opens it again. The slots here are free ones: their state says so and their view is
     * in them, so that trim finds them as it does those in magazines.
     *
     * A slot on lease refers to the lane, never to this: else a connection that is dropped unclosed would keep its own input
     * from being seen as lost.
     *
     *   field        written by   mode                         read by   mode
     *   inside       with guard   compareAndExchange, release  with guard
     *   all others   owner        plain                        owner     plain
     */
    private static final int FIRST_INPUT = 8192;
    private static final VarHandle INSIDE;

    static {
        try {
            INSIDE = MethodHandles.lookup().findVarHandle(ChannelBuffers.class, "inside", Thread.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final SlabPool pool;
    private final ReturnStack returnStack = new ReturnStack();

    /** With {@code guard=on}. */
    private final @Nullable Guard guard;

    private @Nullable PooledBuffer held;
    private @Nullable ByteBuffer input;
    private @Nullable Slot kept;
    private int predicted;
    private byte smallReads;
    private boolean closed;

    /** With {@code guard=on}, who is in one of the methods here. */
    @SuppressWarnings("unused") // through INSIDE
    private @Nullable Thread inside;

    ChannelBuffers(SlabPool pool) {
        this.pool = pool;
        this.guard = pool.guard();
        this.predicted = Math.min(FIRST_INPUT, pool.maxSize());
    }

    /**
     * The channel's read buffer in fill mode: what lies before its position is unread. Flip, parse and compact it as any
     * buffer, and leave it in fill mode. Its size follows what {@link #readFrom} has seen. Other calls here may put another in its
     * place: ask again after them.
     *
     * @return the read buffer, in fill mode
     * @throws PoolExhaustedException when it holds none and the pool is at its cap
     * @throws IllegalStateException when it holds none and this is closed, or the pool
     */
    public ByteBuffer input() {
        ByteBuffer present = input;
        return present != null && guard == null ? present : input(0);
    }

    /**
     * The same with at least {@code room} bytes remaining: grows by copying what is unread into a larger buffer. Nothing is
     * lost when that fails.
     *
     * @param room bytes, from 0
     * @return the read buffer, in fill mode
     * @throws IllegalArgumentException when {@code room} is negative, or with what is unread more than the pool's largest size
     *     class
     * @throws PoolExhaustedException when it must grow and the pool is at its cap
     * @throws IllegalStateException when it needs memory and this is closed, or the pool
     */
    public ByteBuffer input(int room) {
        boolean outermost = enter();
        try {
            return inputOf(room);
        } finally {
            leave(outermost);
        }
    }

    private ByteBuffer inputOf(int room) {
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
            return room > predicted ? hold(acquire(room)) : open(room);
        }
        StackProbe.check();
        PooledBuffer larger = acquire(unread + room);
        larger.buffer().clear().put(present.flip());
        return holdInstead(larger, unread);
    }

    /**
     * One read of the channel into {@link #input}, from which later inputs learn their size.
     *
     * @param channel which is read once; blocks if it does
     * @return what the channel's read returned: bytes, 0, or -1 at its end
     * @throws IOException what the channel throws
     * @throws PoolExhaustedException when no input is held and the pool is at its cap
     * @throws IllegalStateException when the input is full: a silent 0 would spin the selector. Parse and compact, hand off, or
     *     ask for {@link #input(int) more room}. Also when none is held and this is closed, or the pool.
     */
    public int readFrom(ReadableByteChannel channel) throws IOException {
        boolean outermost = enter();
        try {
            return read(channel);
        } finally {
            leave(outermost);
        }
    }

    private int read(ReadableByteChannel channel) throws IOException {
        ByteBuffer into = input();
        if (into.position() == 0 && into.capacity() < predicted) {
            StackProbe.check();
            PooledBuffer larger = tryAcquireHere(predicted);
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

    /**
     * All that is unread, flipped, as a lease for a worker. This channel takes another buffer for its next input. Copies nothing.
     *
     * @return a lease that is the caller's to end, by any thread
     * @throws IllegalStateException when nothing is unread
     */
    public PooledBuffer handOffInput() {
        boolean outermost = enter();
        try {
            return handOff();
        } finally {
            leave(outermost);
        }
    }

    private PooledBuffer handOff() {
        ByteBuffer present = input;
        PooledBuffer lease = held;
        if (present == null || lease == null || present.position() == 0) {
            throw new IllegalStateException(closed ? "channel buffers are closed" : "nothing to hand off: unread=0");
        }
        present.flip();
        input = null;
        held = null;
        return comesBack(lease);
    }

    /**
     * The first {@code n} unread bytes as a lease for a worker; the rest stays unread, copied into another buffer. Nothing is
     * lost when that fails.
     *
     * @param n bytes
     * @return a lease that is the caller's to end, by any thread
     * @throws IllegalArgumentException when {@code n} is not in {@code 1..unread}
     * @throws PoolExhaustedException when there is a rest and the pool is at its cap
     */
    public PooledBuffer handOffInput(int n) {
        boolean outermost = enter();
        try {
            return handOff(n);
        } finally {
            leave(outermost);
        }
    }

    private PooledBuffer handOff(int n) {
        ByteBuffer present = input;
        int unread = present == null ? 0 : present.position();
        if (n < 1 || n > unread || present == null) {
            throw new IllegalArgumentException("cannot hand off: n=" + n + ", unread=" + unread);
        }
        if (n == unread) {
            return handOffInput();
        }
        StackProbe.check();
        PooledBuffer rest = acquire(Math.max(unread - n, Math.min(predicted, present.capacity())));
        ByteBuffer next = rest.buffer().clear();
        next.put(0, present, n, unread - n);
        present.position(n);
        PooledBuffer lease = handOffInput();
        hold(rest).position(unread - n);
        return lease;
    }

    /**
     * A lease as {@link BufferPool#acquire} gives it, whose memory comes back to this channel first.
     *
     * @param size bytes, as for the pool
     * @return a lease that is the caller's to end, by any thread
     * @throws PoolExhaustedException at the cap, as {@code BufferPool.acquire}
     * @throws IllegalArgumentException for a negative size
     * @throws IllegalStateException when this is closed, or the pool
     */
    public PooledBuffer acquire(int size) {
        boolean outermost = enter();
        try {
            return acquireHere(size);
        } finally {
            leave(outermost);
        }
    }

    private PooledBuffer acquireHere(int size) {
        PooledBuffer lease = tryAcquireHere(size);
        if (lease == null) {
            giveBack(); // what is kept here for another size must not be why this is refused
            lease = comesBack(pool.acquire(size));
        }
        return lease;
    }

    private @Nullable PooledBuffer tryAcquireHere(int size) {
        PooledBuffer lease = acquireKept(size);
        lease = lease != null ? lease : pool.tryAcquireUncounted(size);
        return lease == null ? null : comesBack(lease);
    }

    /** A lease of what came back to this channel. */
    private @Nullable PooledBuffer acquireKept(int size) {
        checkOpen();
        pool.checkCaller();
        if (size < 0) {
            throw new IllegalArgumentException("size must not be negative: size=" + size);
        }
        for (Slot slot = takeKept(size); slot != null; slot = takeKept(size)) {
            PooledBuffer lease = pool.leaseReturned(slot, size);
            if (lease != null) {
                returnStack.open();
                return lease;
            }
        }
        return null;
    }

    private PooledBuffer comesBack(PooledBuffer lease) {
        lease.returnTo(returnStack);
        returnStack.open();
        return lease;
    }

    /** Gives back everything that holds no unread bytes. Call it when the channel has nothing to do. */
    public void idle() {
        boolean outermost = enter();
        try {
            giveBackIdle();
        } finally {
            leave(outermost);
        }
    }

    private void giveBackIdle() {
        ByteBuffer present = input;
        if (present != null && present.position() == 0) {
            endInput();
        }
        giveBack();
    }

    /** Gives everything back, what is unread too. Closing again does nothing. */
    @Override
    public void close() {
        boolean outermost = enter();
        try {
            closed = true;
            endInput();
            giveBack();
        } finally {
            leave(outermost);
        }
    }

    /** With {@code guard=on}, sees to it that one thread at a time is here. True when it was not already. */
    private boolean enter() {
        Guard present = guard;
        if (present == null) {
            return false;
        }
        Thread current = Thread.currentThread();
        Thread other = (Thread) INSIDE.compareAndExchange(this, (Thread) null, current);
        if (other != null && other != current) {
            throw present.twoThreads(other);
        }
        return other == null;
    }

    private void leave(boolean outermost) {
        if (outermost) {
            INSIDE.setRelease(this, (Thread) null);
        }
    }

    /**
     * A new input of the predicted size; if that is not to be had, of the size that inputs begin with, or of {@code room} if that is
     * more.
     */
    private ByteBuffer open(int room) {
        PooledBuffer lease = predicted == FIRST_INPUT ? null : tryAcquireHere(predicted);
        return hold(lease != null ? lease : acquire(Math.max(room, Math.min(FIRST_INPUT, pool.maxSize()))));
    }

    private ByteBuffer hold(PooledBuffer lease) {
        lease.returnTo(null); // until it is handed off: what ends it here is this thread
        held = lease;
        input = lease.buffer().clear();
        return input;
    }

    /** The same in the place of what is held, which ends. Should that fail, it is held all the same. */
    private ByteBuffer holdInstead(PooledBuffer lease, int unread) {
        PooledBuffer before = held;
        ByteBuffer into = hold(lease).position(unread);
        if (before != null) {
            before.close();
        }
        return into;
    }

    private void endInput() {
        PooledBuffer lease = held;
        input = null;
        held = null;
        if (lease != null) {
            lease.close();
        }
    }

    /** A kept slot that holds {@code size} bytes and does not waste more than it holds; the owner's now. */
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
        giveBack(kept);
        kept = null;
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

    /** Twice the size after a read that filled the buffer; half of it after two in a row that used less than a quarter. */
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

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("channel buffers are closed");
        }
    }
}
