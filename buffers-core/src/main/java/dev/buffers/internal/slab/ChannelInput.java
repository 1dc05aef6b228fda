// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.slab;

import dev.buffers.ChannelBuffers;
import dev.buffers.PooledBuffer;
import dev.buffers.internal.signals.PlacedSettings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import org.jspecify.annotations.Nullable;

/** The input of a channel: which lease holds it, and how large it is. One thread at a time, as {@link ChannelBuffers} says. */
public abstract class ChannelInput extends ChannelBuffers {
    /*
     * I1  `input` is the view of `held`, in fill mode; both are null when there is no input.
     * I2  A new input has the size `predicted`, which follows what earlier reads have used. It is only a hint: a read that finds the input
     *     full makes it larger, up to `maxInput`, whatever came before. So how large a message may be does not depend on earlier messages.
     * I3  Unread bytes are copied before the lease that has them ends, and that lease ends last.
     * I4  To acquire a lease or to end one may call a wake-up, which may use this channel. So after an acquire the input is touched only
     *     if it is still the one read before, and after `replace` the fields are read again.
     *
     * All fields are plain, and used by the owner.
     */
    private static final int FIRST_INPUT = 8192;
    private static final int SMALLEST_PREDICTED = FIRST_INPUT / 4;

    private final int maxSize;
    private final int maxInput;

    private @Nullable PooledBuffer held;
    private @Nullable ByteBuffer input;
    private int predicted;
    private byte smallReads;
    protected boolean closed;

    /**
     * @param maxSize the bytes of the largest input
     * @param maxInput up to how many bytes a read makes the input larger
     */
    protected ChannelInput(int maxSize, int maxInput) {
        if (maxInput < 1 || maxInput > maxSize) {
            throw new IllegalArgumentException(
                    "max-input must be from 1 to max-size: max-input=" + maxInput + ", max-size=" + maxSize);
        }
        this.maxSize = maxSize;
        this.maxInput = maxInput;
        this.predicted = Math.min(FIRST_INPUT, maxInput);
    }

    /** The settings of its pool. */
    protected abstract PlacedSettings settings();

    /** A lease of at least that size; null, and not counted, at the cap. */
    protected abstract @Nullable PooledBuffer find(int size);

    /** A lease as {@link dev.buffers.BufferPool#acquire(int)} gives it. */
    protected abstract PooledBuffer acquireOpen(int size);

    /** Called with a lease that holds the input from now on. */
    protected void keep(PooledBuffer lease) {}

    /** Called with the lease of an input that the caller of this object gets. */
    protected void handOff(PooledBuffer lease) {}

    protected final void checkOpen() {
        if (closed) {
            throw new IllegalStateException("channel buffers are closed");
        }
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
        if (room > maxSize - unread) {
            throw new IllegalArgumentException(
                    "room is more than max-size allows: room=" + room + ", unread=" + unread + ", max-size=" + maxSize);
        }
        int least = unread + room;
        PooledBuffer lease = null;
        if (present == null && room <= predicted) {
            least = Math.max(room, Math.min(FIRST_INPUT, predicted));
            lease = predicted == FIRST_INPUT ? null : find(predicted);
        }
        replace(present, lease != null ? lease : acquireOpen(least));
        return input(room);
    }

    @Override
    public int readFrom(ReadableByteChannel channel) throws IOException {
        ByteBuffer into = input();
        if (into.limit() < into.capacity()) {
            throw new IllegalStateException("input is not in fill mode: position=" + into.position() + ", limit="
                    + into.limit() + ", capacity=" + into.capacity());
        }
        if (!into.hasRemaining()) {
            replace(into, larger(into.capacity()));
        } else if (into.position() == 0 && into.capacity() < predicted) {
            PooledBuffer lease = find(predicted);
            if (lease != null) {
                replace(into, lease);
            }
        }
        if (input != into || !into.hasRemaining()) {
            return readFrom(channel);
        }
        int n = channel.read(into);
        if (n >= 0) {
            learn(into.position(), into.capacity());
        }
        return n;
    }

    /** A lease for an input that is full: of twice its capacity, or of the next size if there is no room for that. */
    private PooledBuffer larger(int capacity) {
        if (capacity >= maxInput) {
            throw new IllegalStateException("input is full: unread=" + capacity + ", max-input=" + maxInput + ", pool="
                    + settings().name() + "; parse and compact, hand off, or raise "
                    + settings().where("max-input"));
        }
        PooledBuffer lease = find((int) Math.min(maxInput, 2L * capacity));
        return lease != null ? lease : acquireOpen(capacity + 1);
    }

    /** Doubles the predicted size when a read has filled the input; halves it after two in a row that left three quarters of it free. */
    private void learn(int used, int capacity) {
        if (used == capacity) {
            predicted = (int) Math.min(maxInput, 2L * capacity);
            smallReads = 0;
        } else if (used < capacity / 4 && capacity > SMALLEST_PREDICTED) {
            if (++smallReads >= 2) {
                predicted = Math.min(maxInput, Math.max(SMALLEST_PREDICTED, capacity / 2));
                smallReads = 0;
            }
        } else {
            smallReads = 0;
        }
    }

    @Override
    public PooledBuffer handOffInput() {
        ByteBuffer present = input;
        PooledBuffer lease = held;
        if (present == null || lease == null || present.position() == 0) {
            throw new IllegalStateException(closed ? "channel buffers are closed" : "nothing to hand off: unread=0");
        }
        handOff(lease);
        present.flip();
        input = null; // no call from here on: the caller has the lease
        held = null;
        return lease;
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
        int least = unread - n;
        int wanted = Math.min(predicted, present.capacity());
        PooledBuffer found = wanted > least ? find(wanted) : null;
        PooledBuffer rest = found != null ? found : acquireOpen(least);
        if (input != present || present.position() != unread) {
            rest.close();
            checkOpen();
            return handOffInput(n);
        }
        rest.buffer().clear().put(0, present, n, unread - n);
        present.position(n);
        PooledBuffer lease = handOffInput();
        hold(rest, unread - n);
        return lease;
    }

    /** Holds this lease instead of that input, with its unread bytes. Only ends the lease if that is no longer the input. */
    private void replace(@Nullable ByteBuffer present, PooledBuffer lease) {
        if (closed || input != present) {
            lease.close();
            return;
        }
        int unread = present == null ? 0 : present.position();
        if (present != null) {
            lease.buffer().clear().put(0, present, 0, unread);
        }
        PooledBuffer before = held;
        hold(lease, unread);
        if (before != null) {
            before.close(); // if this fails, the new one is held all the same
        }
    }

    private void hold(PooledBuffer lease, int unread) {
        keep(lease);
        input = lease.buffer().clear().position(unread);
        held = lease;
    }

    /** Ends the input if nothing is unread, or if this is closed. */
    protected final void endInput(boolean closing) {
        closed |= closing;
        ByteBuffer present = input;
        PooledBuffer lease = held;
        if (lease != null && present != null && (closing || present.position() == 0)) {
            input = null;
            held = null;
            lease.close();
        }
    }
}
