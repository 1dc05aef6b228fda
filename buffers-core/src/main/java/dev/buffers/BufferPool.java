package dev.buffers;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A pool of byte buffers, bounded in bytes.
 *
 * <p>Make one with {@link #create()} and keep it: a pool is meant to live as long as the server. Which memory it uses and how
 * it is cut is the policy, set by {@code -Dbuffers.policy=} or by the {@linkplain #builder builder}.
 *
 * <p><b>Threads.</b> Any thread, platform or virtual, may call anything, and release what another has acquired.
 *
 * <p><b>Cost.</b> A hit costs some tens of nanoseconds at most, allocates at most the lease (32 bytes) and takes no lock. A miss goes
 * through the order that {@link #acquire} names.
 */
public sealed interface BufferPool extends AutoCloseable permits SlabPool {
    /** A pool named {@code default}, with the settings of the system properties. */
    static BufferPool create() {
        return create("default");
    }

    /**
     * A pool with the settings of the system properties, of which {@code -Dbuffers.<name>.<key>} win over {@code
     * -Dbuffers.<key>}. When an open pool has that name, this one is called {@code name-2}, {@code name-3} and so on.
     *
     * @throws IllegalArgumentException when the name or a setting is not acceptable: the message says which, and what would be
     */
    static BufferPool create(String name) {
        return builder(name).build();
    }

    /** A pool whose explicit settings win over the system properties. */
    static Builder builder(String name) {
        return new Builder(name);
    }

    /** The name under which metrics show this pool. */
    String name();

    /**
     * A lease on a buffer whose limit is {@code size}. Looks in the thread's magazine, the depot, the fullest slab with free
     * slots, an empty slab, other classes' empty slabs, dropped regions, and then for a new region under the cap. At the cap, when
     * not even other threads' magazines have any, it does what {@code at-limit} says.
     *
     * @param size bytes; 0 is legal; more than the largest class gets a region of its own under the same cap
     * @throws PoolExhaustedException at the cap, with the numbers that explain it
     * @throws IllegalArgumentException for a negative size
     * @throws IllegalStateException when the pool is closed, or the caller is this pool's own policy
     */
    PooledBuffer acquire(int size);

    /**
     * As {@link #acquire(int)}, but waits at the cap for at most {@code patience}, whatever {@code at-limit} says: first come, first
     * served within a size class, woken by any release. A virtual thread that waits is unmounted. An interrupt ends the wait,
     * and the thread's flag is up then.
     *
     * @param patience zero to look once
     * @throws PoolExhaustedException when the patience has ended or the thread was interrupted: the message says which; or at
     *     once, when the cap could never hold {@code size}
     * @throws IllegalArgumentException for a negative size or patience
     * @throws IllegalStateException when the pool is closed, also while this waits, or the caller is this pool's own policy
     */
    PooledBuffer acquire(int size, Duration patience);

    /**
     * As {@link #acquire(int)}, but null at the cap, whatever {@code at-limit} says: never waits, never throws for the cap.
     */
    @Nullable PooledBuffer tryAcquire(int size);

    /**
     * Calls {@code wake} once when room for {@code size} bytes may be had: at once, by the calling thread, if that is so
     * already; otherwise by the thread that made the room, which may be the library's own. What a selector loop uses for back-pressure, with {@code
     * selector::wakeup}. First come, first served within a size class. The wake-up is a hint and reserves nothing: try
     * again, and register again if that fails. It should be short; what it throws is logged.
     *
     * @throws IllegalArgumentException for a size that the cap can never hold
     * @throws IllegalStateException when the pool is closed. A pool that closes later calls all that are registered.
     */
    void whenAvailable(int size, Runnable wake);

    /**
     * What is known of each lease that is out, the oldest first: where and when it was acquired for those whose stack the setting
     * {@code leaks} kept. For a person who looks for a leak: takes a time that depends on how many there are.
     */
    List<LeakReport> openLeases();

    /**
     * Tells {@code listener} of the size that each acquire asks for, from now on, whether from the pool or through a channel: once
     * for each that {@link PoolStats#acquires} counts, refused ones too. Called by the thread that acquires, with no lock held, it should be
     * quick, and must not acquire from this pool. What it throws is logged. A pool without listeners pays nothing for this.
     */
    void addSizeListener(IntConsumer listener);

    /** Tells {@code listener} no more, but for acquires that are under way. One added twice is told once from then on. */
    void removeSizeListener(IntConsumer listener);

    /** What one connection keeps between its readiness events. Costs one small object and no memory until it is used. */
    ChannelBuffers channel();

    /** The settings in force, each with where it came from. */
    PoolSettings settings();

    /** What the pool holds and has done. Adds up, under a lock that misses use: meant for once a second, not once a request. */
    PoolStats stats();

    /**
     * Gives back all memory that is not leased, wherever it is, as far as {@code preallocate} allows.
     *
     * @return the bytes of the regions that were dropped
     */
    long trim();

    /**
     * Refuses every later acquire, and lets go of all memory that is not leased. Leases that are out may still be used and
     * released; their memory goes with the last of each region. Closing again does nothing.
     */
    @Override
    void close();

    /** Settings for one pool; each one set here wins over the same system property. */
    final class Builder {
        private final String name;
        private final ExplicitSettings settings = new ExplicitSettings();
        private @Nullable Consumer<LeakReport> onLeak;

        private Builder(String name) {
            this.name = name;
        }

        /** The policy of that name: built-in, or found by {@link java.util.ServiceLoader}. */
        public Builder policy(String policy) {
            settings.policy(policy);
            return this;
        }

        /** A policy of one's own. */
        public Builder policy(BufferPolicy policy) {
            settings.policy(policy);
            return this;
        }

        /** The cap, in bytes. */
        public Builder max(long bytes) {
            settings.maxBytes(bytes);
            return this;
        }

        /** What an acquire does at the cap. */
        public Builder atLimit(Exhaustion exhaustion) {
            settings.atLimit(exhaustion);
            return this;
        }

        /** The most bytes of one region. */
        public Builder regionSize(long bytes) {
            settings.regionSize(bytes);
            return this;
        }

        /** The largest size class, in bytes. */
        public Builder maxSize(int bytes) {
            settings.maxSize(bytes);
            return this;
        }

        /**
         * Bytes to reserve when the pool is made, for policies that cut views; {@code trim} never goes below it.
         */
        public Builder preallocate(long bytes) {
            settings.preallocate(bytes);
            return this;
        }

        /** The most bytes that one thread's magazines may hold; 0 for none. */
        public Builder threadCache(long bytes) {
            settings.threadCache(bytes);
            return this;
        }

        /** Whether each acquire makes a lease object of its own. */
        public Builder leases(PoolSettings.LeaseMode mode) {
            settings.leases(mode);
            return this;
        }

        /** When memory is overwritten with zeros. */
        public Builder zero(PoolSettings.Zeroing when) {
            settings.zero(when);
            return this;
        }

        /** What is kept about leases that are out. */
        public Builder leaks(LeakTracking tracking) {
            settings.leaks(tracking);
            return this;
        }

        /**
         * Who is told of each lease that was lost, within seconds of the collection that found it. Called by one thread of the
         * library's, with no lock held, which also does other work: it should be short. What it throws is logged.
         */
        public Builder onLeak(Consumer<LeakReport> listener) {
            onLeak = Objects.requireNonNull(listener, "listener");
            return this;
        }

        /** How long memory lies unused before it goes back. */
        public Builder trimAfter(Duration idle) {
            settings.trimAfter(idle);
            return this;
        }

        /** Keeps unused memory until {@link BufferPool#trim} is called; what dead threads left is still brought home. */
        public Builder trimNever() {
            settings.trimNever();
            return this;
        }

        /** How memory goes back to the operating system. */
        public Builder free(PoolSettings.Freeing how) {
            settings.free(how);
            return this;
        }

        /** Whether misuse is hunted for. */
        public Builder guard(boolean on) {
            settings.guard(on);
            return this;
        }

        /** Whether the pool shows itself over JMX. */
        public Builder jmx(boolean on) {
            settings.jmx(on);
            return this;
        }

        /**
         * The pool.
         *
         * @throws IllegalArgumentException when the name or a setting is not acceptable: the message says which, and what would be
         */
        public BufferPool build() {
            return new SlabPool(PoolSettings.resolve(name, settings), onLeak);
        }
    }
}
