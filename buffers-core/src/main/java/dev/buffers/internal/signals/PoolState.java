// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.signals;

import dev.buffers.BufferPolicy;
import dev.buffers.LeakTracking;
import dev.buffers.PoolSettings;
import dev.buffers.PoolStats;
import dev.buffers.internal.failsafe.StackProbe;
import dev.buffers.internal.text.ByteSize;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The pool as lower packages see it: its name, settings, counters and signals, and a way to call user code. Lower packages reach the pool
 * only through this class and those between it and the pool.
 *
 * <p>Any thread. It is a superclass of the pool, so that a hit reads {@link #signals} without another load.
 */
public abstract class PoolState {
    /*
     * `signals` is zero while nothing special happens, so a hit reads only one word. An acquire or release that a signal concerns takes the
     * slow path:
     *
     *   CLOSED    no acquire succeeds, no release caches
     *   PRESSURE  a waiter waits for a slot of some class: releases of that class take the slow path, which hands the slot over. A
     *             release reads this after its compare-and-set, and a waiter sets it before it looks for room, so one of the two sees the
     *             other. A wait for a whole region does not concern hits: the thread that makes one unused serves it, or the tick
     *   ZERO      releases overwrite the memory; no acquire is concerned
     *   WATCHED   something must be done with each acquire: a listener, a trace, zeros; no release is concerned
     *   CALLING   (a count) a user's policy or a size listener is running, and must not call the pool; no release is concerned
     *
     *   field           written by                      mode                       read by            mode
     *   signals         close, waiters, calls, size     getAndBitwise, getAndAdd   any hit            volatile
     *                   listeners, leak tracking
     *   tracking        leaks                           volatile                   slow acquires      volatile
     *   sizeListeners   a list that copies itself at each change
     */
    public static final int CLOSED = 1;
    public static final int PRESSURE = 2;
    public static final int ZERO = 4;
    public static final int WATCHED = 8;
    static final int CALLING = 16;

    /** Those that concern a release. */
    protected static final int OF_RELEASES = CLOSED | PRESSURE | ZERO;

    private static final VarHandle SIGNALS;

    static {
        try {
            SIGNALS = MethodHandles.lookup().findVarHandle(PoolState.class, "signals", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    public final Counters counters;

    private final PoolName name;
    private final PlacedSettings settings;
    private final Callbacks callbacks;
    private final ThreadLocal<@Nullable String> calling = new ThreadLocal<>();
    private final List<SizeListener> sizeListeners = new CopyOnWriteArrayList<>();

    private volatile LeakTracking tracking;

    protected volatile int signals;

    /** The settings have this name too. */
    public PoolState(PoolName name, PlacedSettings settings, int sizeClasses) {
        this.name = name;
        this.settings = settings;
        this.tracking = settings.leaks();
        this.counters = new Counters(sizeClasses);
        this.signals = settings.zero() == PoolSettings.Zeroing.RELEASE ? ZERO : 0;
        this.callbacks = new Callbacks(name.toString(), new DaemonThreads("buffers-callbacks-" + name));
        signal(0, true); // links these: they run under monitors, or in the midst of a tenancy
        signal(0, false);
        SIGNALS.getAndAdd(this, 0);
        updateWatch();
    }

    public final String name() {
        return name.toString();
    }

    public final PlacedSettings settings() {
        return settings;
    }

    public final Callbacks callbacks() {
        return callbacks;
    }

    /** The owner of the name, which can free it; it does not refer to the pool. */
    public final PoolName ownedName() {
        return name;
    }

    /** How leases that are acquired now are tracked. */
    public final LeakTracking leaks() {
        return tracking;
    }

    public final void leaks(LeakTracking changed) {
        tracking = Objects.requireNonNull(changed, "tracking");
        updateWatch();
    }

    /** The present figures. */
    public abstract PoolStats stats();

    /** The most important figures in one line. */
    @Override
    public final String toString() {
        PoolStats now = stats();
        return "BufferPool[" + name + ", " + settings.policy().name() + (isClosed() ? ", closed" : "") + ", max="
                + ByteSize.text(now.maxBytes()) + ", reserved=" + ByteSize.text(now.reservedBytes()) + ", leased="
                + ByteSize.text(now.leasedBytes()) + " in " + now.leases() + " buffers, waiters=" + now.waiters()
                + ", lost=" + now.leaks() + " leases]";
    }

    /**
     * Does the maintenance that needs no traffic.
     *
     * @param now a reading of {@link System#nanoTime}
     * @return nanoseconds until the next call. Less than a second means that a waiter waits, and then this pause grows from call to call.
     *     Less than 0 means that there will never be anything to do again
     */
    public abstract long tick(long now);

    /** Calls user code: on this thread or, when this is the daemon, on the pool's own thread. Throws nothing. */
    public void call(Callbacks.Callback callback) {
        if (Thread.currentThread() == DaemonThreads.MAINTENANCE.get()) {
            callbacks.add(callback);
        } else {
            callbacks.call(callback);
        }
    }

    public final boolean isClosed() {
        return (signals & CLOSED) != 0;
    }

    /** Closes, once: false when it was closed before. The first step of a call (StackProbe). */
    public final boolean beginClose() {
        StackProbe.check();
        return ((int) SIGNALS.getAndBitwiseOr(this, CLOSED) & CLOSED) == 0;
    }

    /** Whether a waiter waits for a slot of some class. */
    public final boolean isUnderPressure() {
        return (signals & PRESSURE) != 0;
    }

    public final boolean zeroesOnRelease() {
        return (signals & ZERO) != 0;
    }

    public final void signal(int bit, boolean on) {
        if (on) {
            SIGNALS.getAndBitwiseOr(this, bit);
        } else {
            SIGNALS.getAndBitwiseAnd(this, ~bit);
        }
    }

    /** Runs a user's policy, which must not call this pool in the meantime. */
    public final @Nullable ByteBuffer allocate(BufferPolicy policy, int bytes) {
        try {
            calling.set("a policy"); // without heap it may fail, and have set it
            SIGNALS.getAndAdd(this, CALLING);
            try {
                return policy.allocate(bytes);
            } finally {
                SIGNALS.getAndAdd(this, -CALLING);
            }
        } finally {
            calling.remove();
        }
    }

    /** The first step of a call that looks for memory: checks for room on the stack, and {@link #checkCaller}. */
    public final void enter() {
        StackProbe.check();
        checkCaller();
    }

    /** Refuses a call to a closed pool, and a call by this pool's own policy or size listener. */
    public final void checkCaller() {
        if (isClosed()) {
            throw new IllegalStateException("pool is closed: pool=" + name);
        }
        checkPolicy();
    }

    public final void checkPolicy() {
        if (isCallingUser()) {
            throw new IllegalStateException(calling.get() + " must not call the pool that called it: pool=" + name
                    + ", policy=" + settings.policy().name());
        }
    }

    /** Whether this thread is running a policy or a size listener for this pool. */
    final boolean isCallingUser() {
        return signals >= CALLING && calling.get() != null;
    }

    /** Whether something must be done with each acquire. */
    public final boolean watchesAcquires() {
        return (signals & WATCHED) != 0;
    }

    private synchronized void updateWatch() {
        boolean zeroes = settings.zero() == PoolSettings.Zeroing.ACQUIRE;
        signal(WATCHED, zeroes || tracking.kind() != LeakTracking.Kind.COUNT || !sizeListeners.isEmpty());
    }

    /** Notifies the size listeners; called when an acquire has its slot or refusal and is counted. */
    public final void notifySizeListeners(int size) {
        if (sizeListeners.isEmpty()) {
            return;
        }
        SIGNALS.getAndAdd(this, CALLING); // WATCHED alone would not do: the last listener may remove itself
        try {
            for (SizeListener listener : sizeListeners) {
                listener.call(size, name(), calling);
            }
        } catch (Throwable e) {
            // No heap or no stack to notify them all, or to log that.
        } finally {
            SIGNALS.getAndAdd(this, -CALLING);
        }
    }

    public final void addSizeListener(IntConsumer listener) {
        Objects.requireNonNull(listener, "listener");
        sizeListeners.add(new SizeListener(listener));
        updateWatch();
    }

    public final void removeSizeListener(IntConsumer listener) {
        Objects.requireNonNull(listener, "listener");
        sizeListeners.stream()
                .filter(one -> one.consumer.equals(listener))
                .findFirst()
                .ifPresent(sizeListeners::remove);
        updateWatch();
    }
}
