// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.guard;

import dev.buffers.ChannelBuffers;
import dev.buffers.PooledBuffer;
import dev.buffers.internal.signals.PlacedSettings;
import dev.buffers.internal.slab.ChannelInput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The channel buffers of a {@link GuardedPool}: they keep nothing but the input, and throw when two threads use them at once.
 *
 * <p>One thread at a time, as {@link ChannelBuffers} says.
 */
final class GuardedChannel extends ChannelInput {
    private final GuardedAcquire acquire;
    private final Findings findings;

    /** The thread that is in one of the methods. */
    private final AtomicReference<@Nullable Thread> inside = new AtomicReference<>();

    GuardedChannel(GuardedAcquire acquire, int maxSize, int maxInput, Findings findings) {
        super(maxSize, maxInput);
        this.acquire = acquire;
        this.findings = findings;
    }

    @Override
    protected PlacedSettings settings() {
        return acquire.pool.settings();
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
    protected @Nullable PooledBuffer find(int size) {
        checkOpen();
        return acquire.findForChannel(size);
    }

    @Override
    protected PooledBuffer acquireOpen(int size) {
        PooledBuffer lease = find(size);
        return lease != null ? lease : acquire.acquire(size);
    }

    @Override
    protected void handOff(PooledBuffer lease) {
        ((GuardedBuffer) lease).tenancy.trace.handOff();
    }

    @Override
    public PooledBuffer acquire(int size) {
        return alone(() -> acquireOpen(size));
    }

    @Override
    public ByteBuffer input() {
        return alone(super::input);
    }

    @Override
    public ByteBuffer input(int room) {
        return alone(() -> super.input(room));
    }

    @Override
    public int readFrom(ReadableByteChannel channel) throws IOException {
        return alone(() -> super.readFrom(channel));
    }

    @Override
    public PooledBuffer handOffInput() {
        return alone(super::handOffInput);
    }

    @Override
    public PooledBuffer handOffInput(int n) {
        return alone(() -> super.handOffInput(n));
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
            endInput(closing);
            return this;
        });
    }
}
