package dev.buffers.internal.guard;

import dev.buffers.BufferPool;
import dev.buffers.ChannelBuffers;
import dev.buffers.PooledBuffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The channel buffers of a {@link GuardedPool}: they keep nothing but the input, and throw when two threads use them at once.
 *
 * <p>One thread at a time, as {@link ChannelBuffers} says.
 */
final class GuardedChannel extends ChannelBuffers {
    private static final int FIRST_INPUT = 8192;

    private final BufferPool pool;
    private final IntFunction<@Nullable PooledBuffer> find;
    private final int maxSize;
    private final Findings findings;

    /** The thread that is in one of the methods. */
    private final AtomicReference<@Nullable Thread> inside = new AtomicReference<>();

    private @Nullable PooledBuffer held;
    private @Nullable ByteBuffer input;
    private int predicted;
    private int smallReads;
    private boolean closed;

    /** @param find a lease of that size; null, and not counted, at the cap */
    GuardedChannel(BufferPool pool, IntFunction<@Nullable PooledBuffer> find, int maxSize, Findings findings) {
        this.pool = pool;
        this.find = find;
        this.maxSize = maxSize;
        this.findings = findings;
        this.predicted = Math.min(FIRST_INPUT, maxSize);
    }

    private interface Work<T, E extends Exception> {
        T run() throws E;
    }

    /** Does the work of one method; throws when another thread is in one. A method may call another. */
    private <T, E extends Exception> T alone(Work<T, E> work) throws E {
        Thread current = Thread.currentThread();
        Thread other = inside.compareAndExchange(null, current);
        if (other != null && other != current) {
            throw findings.twoThreads(other);
        }
        try {
            return work.run();
        } finally {
            inside.set(other);
        }
    }

    @Override
    public ByteBuffer input() {
        return input(0);
    }

    @Override
    public ByteBuffer input(int room) {
        return alone(() -> inputOf(room));
    }

    private ByteBuffer inputOf(int room) {
        if (room < 0) {
            throw new IllegalArgumentException("room must not be negative: room=" + room);
        }
        ByteBuffer present = input;
        int unread = present == null ? 0 : present.position();
        if (present != null && present.remaining() >= room) {
            return present;
        } else if (room > maxSize - unread) {
            throw new IllegalArgumentException(
                    "room is more than max-size allows: room=" + room + ", unread=" + unread + ", max-size=" + maxSize);
        } else if (present != null) {
            PooledBuffer larger = acquireOpen(unread + room);
            larger.buffer().clear().put(present.flip());
            return hold(larger, unread);
        }
        PooledBuffer lease = predicted > FIRST_INPUT && room <= predicted ? findOpen(predicted) : null;
        int least = room > predicted ? room : Math.max(room, Math.min(predicted, Math.min(FIRST_INPUT, maxSize)));
        return hold(lease != null ? lease : acquireOpen(least), 0);
    }

    @Override
    public int readFrom(ReadableByteChannel channel) throws IOException {
        return alone(() -> read(channel));
    }

    private int read(ReadableByteChannel channel) throws IOException {
        ByteBuffer into = inputOf(0);
        if (into.position() == 0 && into.capacity() < predicted) {
            PooledBuffer larger = findOpen(predicted);
            into = larger == null ? into : hold(larger, 0);
        }
        if (!into.hasRemaining()) {
            throw new IllegalStateException(
                    "input is full: unread=" + into.position() + ", capacity=" + into.capacity());
        }
        int n = channel.read(into);
        if (n >= 0) {
            learn(n, into.capacity());
        }
        return n;
    }

    /** Doubles the predicted size after a read that filled the buffer; halves it after two in a row that used less than a quarter. */
    private void learn(int n, int capacity) {
        if (n == capacity) {
            predicted = (int) Math.min(maxSize, 2L * capacity);
        }
        smallReads = n < capacity / 4 && capacity > FIRST_INPUT / 4 ? smallReads + 1 : 0;
        if (smallReads == 2) {
            predicted = Math.max(FIRST_INPUT / 4, capacity / 2);
            smallReads = 0;
        }
    }

    @Override
    public PooledBuffer handOffInput() {
        return alone(this::handOff);
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
        return lease;
    }

    @Override
    public PooledBuffer handOffInput(int n) {
        return alone(() -> handOff(n));
    }

    private PooledBuffer handOff(int n) {
        ByteBuffer present = input;
        int unread = present == null ? 0 : present.position();
        if (n < 1 || n > unread || present == null) {
            throw new IllegalArgumentException("cannot hand off: n=" + n + ", unread=" + unread);
        } else if (n == unread) {
            return handOff();
        }
        PooledBuffer rest = acquireOpen(Math.max(unread - n, Math.min(predicted, present.capacity())));
        rest.buffer().clear().put(0, present, n, unread - n);
        present.position(n);
        PooledBuffer lease = handOff();
        hold(rest, unread - n);
        return lease;
    }

    @Override
    public PooledBuffer acquire(int size) {
        return alone(() -> acquireOpen(size));
    }

    private PooledBuffer acquireOpen(int size) {
        PooledBuffer lease = findOpen(size);
        return lease != null ? lease : pool.acquire(size);
    }

    private @Nullable PooledBuffer findOpen(int size) {
        if (closed) {
            throw new IllegalStateException("channel buffers are closed");
        }
        return find.apply(size);
    }

    /** Holds this lease as the input, and ends the present one. */
    private ByteBuffer hold(PooledBuffer lease, int unread) {
        PooledBuffer before = held;
        ByteBuffer into = lease.buffer().clear().position(unread);
        held = lease;
        input = into;
        if (before != null) {
            before.close();
        }
        return into;
    }

    @Override
    public void idle() {
        end(false);
    }

    @Override
    public void close() {
        end(true);
    }

    private void end(boolean closing) {
        alone(() -> {
            closed |= closing;
            PooledBuffer lease = held;
            if (lease != null && (closing || lease.buffer().position() == 0)) {
                held = null;
                input = null;
                lease.close();
            }
            return this;
        });
    }
}
