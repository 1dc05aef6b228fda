package dev.buffers.internal.signals;

import dev.buffers.BufferPolicy;
import dev.buffers.PoolSettings;
import dev.buffers.PoolStats;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The pool as the floors below it see it: its name, its settings, its counters, its signals, and a way to call a user's code. This is the
 * one class through which a lower floor reaches the pool.
 *
 * <p>Any thread. It is a superclass of the pool, so that a hit reads {@link #signals} without another load.
 */
public abstract class PoolState {
    /*
     * `signals` is zero as long as nothing special is going on, so that a hit looks at one word:
     *
     *   CLOSED    no acquire succeeds, no release caches
     *   PRESSURE  a waiter waits for a slot of some class: releases of that class go home and wake it. A release reads this after
     *             its compare-and-set, a waiter sets it before it looks for room, so that one of the two sees the other.
     *             A wait for a whole region is no concern of a hit: the tick sees to it
     *   ZERO      releases overwrite the memory
     *   GUARD     misuse is hunted: releases go the long way
     *   CALLING   (a count) a user's policy is running, and must not call the pool
     *
     *   field             written by                     mode                       read by   mode
     *   signals           close, waiters, policy calls   getAndBitwise, getAndAdd   any hit   volatile
     *   hasSizeListeners  add and remove, under a lock   plain                      any hit   plain: an acquire that happens after
     *                                                                                         a listener was added sees it
     */
    public static final int CLOSED = 1;
    public static final int PRESSURE = 2;
    public static final int ZERO = 4;
    static final int GUARD = 8;
    static final int CALLING = 16;

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
    private final PoolSettings settings;
    private final Callbacks callbacks;
    private final ThreadLocal<@Nullable String> calling = new ThreadLocal<>();
    private final ReentrantLock listening = new ReentrantLock();
    private final SizeListeners sizeListeners = new SizeListeners();

    /** Whether a listener wants to know the size that each acquire asks for. */
    protected boolean hasSizeListeners;

    protected volatile int signals;

    public PoolState(PoolSettings settings, int sizeClasses) {
        this.settings = settings;
        this.counters = new Counters(sizeClasses);
        this.signals = (settings.zero() == PoolSettings.Zeroing.RELEASE ? ZERO : 0) | (settings.guard() ? GUARD : 0);
        this.name = PoolName.of(settings.name());
        this.callbacks = new Callbacks(name.text(), new DaemonThreads("buffers-callbacks-" + name));
    }

    public final String name() {
        return name.text();
    }

    public final PoolSettings settings() {
        return settings;
    }

    public final Callbacks callbacks() {
        return callbacks;
    }

    /** The name's owner, which frees it; it holds no pool. */
    public final PoolName ownedName() {
        return name;
    }

    /** The figures of now. */
    public abstract PoolStats stats();

    /**
     * What must happen without traffic.
     *
     * @param now a reading of {@link System#nanoTime}
     * @return nanoseconds until it should be called again; less than 0 when there is nothing left to do, ever
     */
    public abstract long tick(long now);

    /** Calls a user's code: on this thread or, where that is the daemon, on the pool's own. Throws nothing. */
    public abstract void call(Callbacks.Callback callback);

    /** Has the pool's own thread call a user's code. Allocates nothing. */
    public final void callLater(Callbacks.Callback callback) {
        callbacks.add(callback);
    }

    public final boolean isClosed() {
        return (signals & CLOSED) != 0;
    }

    /** Closes, once: false when it was closed before. */
    public final boolean beginClose() {
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

    /** Runs a user's policy, which must not call this pool meanwhile. */
    public final @Nullable ByteBuffer allocate(BufferPolicy policy, int bytes) {
        SIGNALS.getAndAdd(this, CALLING);
        calling.set("a policy");
        try {
            return policy.allocate(bytes);
        } finally {
            calling.remove();
            SIGNALS.getAndAdd(this, -CALLING);
        }
    }

    /** Refuses a call to a closed pool, and one by this pool's own policy or size listener. */
    public final void checkCaller() {
        if (isClosed()) {
            throw new IllegalStateException("pool is closed: pool=" + name);
        }
        checkPolicy();
    }

    public final void checkPolicy() {
        if ((hasSizeListeners || signals >= CALLING) && calling.get() != null) {
            throw new IllegalStateException(calling.get() + " must not call the pool that called it: pool=" + name
                    + ", policy=" + settings.policy().name());
        }
    }

    public final boolean hasSizeListeners() {
        return hasSizeListeners;
    }

    /** An acquire is answered, with a slot or a refusal, and counted. */
    public final void notifySizeListeners(int size) {
        sizeListeners.notify(size, name.text(), calling);
    }

    public final void addListener(IntConsumer listener) {
        listen(() -> sizeListeners.add(listener));
    }

    public final void removeListener(IntConsumer listener) {
        listen(() -> sizeListeners.remove(listener));
    }

    private void listen(Runnable change) {
        listening.lock();
        try {
            change.run();
            hasSizeListeners = !sizeListeners.isEmpty();
        } finally {
            listening.unlock();
        }
    }
}
