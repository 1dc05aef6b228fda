// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import dev.buffers.internal.pool.SlabPool;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A pool of byte buffers, bounded in bytes.
 *
 * <pre>{@code
 * BufferPool pool = BufferPool.create("web"); // -Dbuffers.web.max=64m is its cap
 *
 * try (PooledBuffer lease = pool.acquire(1024)) {
 *     channel.write(lease.buffer().put(message).flip());
 * } // released, exactly once
 * }</pre>
 *
 * <p>Make one with {@link #create()} and keep it: a pool is meant to live as long as the server. The policy says which memory it uses and
 * how the memory is cut; it is set by {@code -Dbuffers.policy=} or by the {@linkplain #builder builder}.
 *
 * <p><b>Threads.</b> Any thread, platform or virtual, may call any method, and release what another has acquired.
 *
 * <p><b>Cost.</b> A hit (the thread's own cache has a free slot) costs some tens of nanoseconds at most, allocates at most the lease (32
 * bytes) and takes no lock. A miss looks in the places that {@link #acquire} names, in that order.
 *
 * <p><b>Source.</b> Slabs are Bonwick's (The Slab Allocator, USENIX Summer 1994), magazines and depots Bonwick's and Adams's (Magazines and
 * Vmem, USENIX 2001).
 */
public interface BufferPool extends AutoCloseable {
    /** {@return a pool named {@code default}, as {@link #create(String)} makes it, which the caller must close} */
    static BufferPool create() {
        return create("default");
    }

    /**
     * A pool with the settings of the system properties, the environment and {@code buffers.properties}. {@code -Dbuffers.<name>.<key>}
     * wins over {@code -Dbuffers.<key>}, and both over {@code BUFFERS_<NAME>_<KEY>} and {@code BUFFERS_<KEY>} in the environment. When an
     * open pool has that name, this one is called {@code name-2}, {@code name-3} and so on.
     *
     * <p><b>Cost.</b> Reads the settings and, with {@code preallocate}, allocates; the first pool starts the library's one daemon thread.
     *
     * <p><b>Errors.</b> Those of {@link Builder#build}.
     *
     * @param name without dots or white space, and no setting's key
     * @return the pool, which the caller must close
     */
    static BufferPool create(String name) {
        return builder(name).build();
    }

    /**
     * {@return a builder of pools} Settings made with it win over the system properties.
     *
     * @param name as for {@link #create(String)}
     */
    static Builder builder(String name) {
        return SlabPool.builder(name);
    }

    /** {@return the name under which metrics show this pool, with {@code -2} and so on; no other open pool has it} */
    String name();

    /**
     * A lease on a buffer whose limit is {@code size}. Looks in the thread's magazine, the depot, the fullest slab with free slots, an
     * unused slab, unused slabs of other size classes, dropped regions, and then for a new region under the cap. At the cap, when not even
     * other threads' magazines have a free slot, it does what {@code at-limit} says. A size above the largest class takes a dropped region
     * of about that size, else a new one, and an unused one last.
     *
     * <p>Every use of the memory before its last release happens-before the return of this method.
     *
     * @param size bytes; 0 is legal; more than the largest class gets a separate region under the same cap
     * @return the lease, which the caller must end
     * @throws PoolExhaustedException at the cap, with the numbers that explain it; or when the cap could never hold {@code size}, and
     *     {@code at-limit} does not allow memory beyond it
     * @throws IllegalArgumentException for a negative size
     * @throws IllegalStateException when the pool is closed, or the caller is this pool's own policy or size listener
     */
    PooledBuffer acquire(int size);

    /**
     * Acquires as {@link #acquire(int)}, but waits at the cap for at most {@code patience}, whatever {@code at-limit} says: first come,
     * first served within a size class. A release of that class serves it, and any that makes room. A virtual thread is unmounted while it
     * waits. An interrupt ends the wait, and the thread's interrupt flag is then set.
     *
     * <p><b>Bound.</b> While memory flows in other sizes, the oldest waiter is served within 2 seconds if leases are shorter than that: one
     * region is emptied for it, and given to no other thread. When only dropped memory can serve it, this takes one garbage collection
     * more: with the policies {@code heap} and {@code direct}, with {@code guard=on}, and for a size above that of all regions.
     *
     * @param size as for {@code acquire(size)}
     * @param patience how long to wait at most; zero to look once
     * @return the lease, which the caller must end
     * @throws PoolExhaustedException when the patience has ended or the thread was interrupted: the message says which; or at once, when
     *     the cap could never hold {@code size}
     * @throws IllegalArgumentException for a negative size or patience
     * @throws IllegalStateException when the pool is closed, also during the wait, or the caller is this pool's own policy or size listener
     */
    PooledBuffer acquire(int size, Duration patience);

    /**
     * Acquires as {@link #acquire(int)}, but returns null at the cap, whatever {@code at-limit} says. Never waits for a release, and throws
     * only when no release can ever make room. A null is counted as refused.
     *
     * @param size as for {@code acquire(size)}
     * @return the lease, which the caller must end; null at the cap
     * @throws PoolExhaustedException when the cap could never hold {@code size}
     * @throws IllegalArgumentException for a negative size
     * @throws IllegalStateException when the pool is closed, or the caller is this pool's own policy or size listener
     */
    @Nullable PooledBuffer tryAcquire(int size);

    /**
     * Calls {@code wake} once when there may be room for {@code size} bytes: at once, in the calling thread, if there is room already;
     * otherwise in the thread that made the room. A selector loop uses this for back-pressure, with {@code selector::wakeup}. First come,
     * first served within a size class, and within the bound of {@link #acquire(int, Duration)}. The wake-up is a hint: try again soon, and
     * register again if that fails. Memory that was kept for it is left for acquires of its size for about 20 milliseconds. It should be
     * short; what it throws is logged.
     *
     * <p><b>Threads.</b> An acquire, release, trim or close runs the wake-ups that follow from it, in its own thread, before it returns.
     * For room that the library itself finds, and for a release in a size listener, the daemon thread of {@link Builder#onLeak} runs them.
     * A wake-up that is slow there delays the later callbacks of this pool and, with a policy of your own, its allocations for waiters.
     *
     * <p><b>Cost.</b> That of a miss, and one object in a queue; {@code wake} is kept until it has been called.
     *
     * <p><b>Policy.</b> This call may ask the pool's own policy for memory. What the policy throws goes to the caller, and {@code wake} is
     * not registered.
     *
     * @param size bytes, as for {@link #acquire(int)}
     * @param wake what to call, with no lock held; may call this pool
     * @throws PoolExhaustedException when the cap could never hold {@code size}; not counted as refused, since this is no acquire
     * @throws IllegalArgumentException for a negative size
     * @throws IllegalStateException when the pool is closed, or the caller is this pool's own policy or size listener. A pool that closes
     *     later calls all that are registered.
     */
    void whenAvailable(int size, Runnable wake);

    /**
     * {@return a new list of reports on the open leases, the oldest first: where and when each was acquired, for those whose stack the
     * setting {@code leaks} kept} Under load the list is recent; in an idle pool it is exact. Use it to look for a leak: its time grows
     * with the number of leases.
     */
    List<LeakReport> openLeases();

    /**
     * {@return how leases that are acquired now are tracked: the setting {@code leaks}, or the value that {@link #leaks(LeakTracking)} has
     * set since}
     */
    default LeakTracking leaks() {
        return settings().leaks();
    }

    /**
     * Changes, while the pool runs, how leases that are acquired from now on are tracked: to find a leak without a restart.
     *
     * <pre>{@code
     * pool.leaks(LeakTracking.sample(128));
     * }</pre>
     *
     * <p><b>Threads.</b> Any. <b>Cost.</b> With anything but {@code count} each acquire takes the slow path, and some keep a stack.
     *
     * @param tracking as for the setting {@code leaks}
     * @throws UnsupportedOperationException when this implementation cannot change it
     */
    default void leaks(LeakTracking tracking) {
        throw new UnsupportedOperationException("leaks cannot be changed: pool=" + name());
    }

    /**
     * Notifies {@code listener} from now on of the size that each acquire asks for, from the pool or through a channel: once for each
     * acquire that {@link PoolStats#acquires} counts, refused ones too. The acquiring thread calls the listener, with no lock held, so it
     * should be quick. What it throws is logged: at once when a listener first throws, and then once a minute at most, with how often it
     * has thrown since. If it calls this pool as a policy must not, it gets an {@code IllegalStateException}, as the policy would; releases
     * and {@code stats} are allowed. A pool without listeners pays nothing for this.
     *
     * @param listener of bytes, at least 0; called by several threads at once
     */
    void addSizeListener(IntConsumer listener);

    /**
     * Notifies {@code listener} no longer, except for acquires that have begun. A listener that was added twice is notified once from then
     * on.
     *
     * @param listener which was added; nothing happens when it was not
     */
    void removeSizeListener(IntConsumer listener);

    /**
     * {@return what one connection keeps between its readiness events, to be closed with it} Costs one small object and no memory until it
     * is used.
     *
     * @throws IllegalStateException when the pool is closed, or the caller is this pool's own policy or size listener
     */
    default ChannelBuffers channel() {
        return channel(settings().maxInput());
    }

    /**
     * {@return the same for a connection whose messages may be larger or smaller than those of others}
     *
     * @param maxInput up to how many bytes {@link ChannelBuffers#readFrom} makes the input larger, instead of the setting {@code
     *     max-input}
     * @throws IllegalArgumentException when {@code maxInput} is not in {@code 1..max-size}
     * @throws IllegalStateException as for {@link #channel()}
     */
    ChannelBuffers channel(int maxInput);

    /** {@return the settings in force, each with where it comes from; the same object every time} */
    PoolSettings settings();

    /**
     * {@return what the pool, open or closed, holds and has done} Adds up, under a lock that misses use: meant for once a second, not once
     * a request.
     */
    PoolStats stats();

    /**
     * {@return what the pool, open or closed, is doing, as a table for a person to read} It shows the cap and the part of it that is
     * reserved; for each size the leased and cached buffers, with hits and misses; regions, trimmed bytes and collections; the number
     * of waiters; the outcomes of all acquires and releases; the number of lost leases; and the open leases by age, the oldest with the
     * place of their acquire, as far as {@code leaks} keeps that. The form may change: for figures use {@link #stats}.
     *
     * <p><b>Cost.</b> That of {@link #stats}, and a time that depends on how many leases are out.
     */
    default String dump() {
        return SlabPool.dumpOf(this);
    }

    /**
     * Gives back all memory that is not leased, wherever it is, as far as {@code preallocate} allows. It gives back whole regions, so one
     * lease keeps the region it is cut from. Call it when there is little traffic: it takes locks that misses use, and the next acquires
     * are misses.
     *
     * @return the bytes of the regions that were dropped
     * @throws IllegalStateException when the pool is closed, or the caller is this pool's own policy or size listener
     */
    long trim();

    /**
     * Refuses every later acquire, and gives up all memory that is not leased. Open leases may still be used and released; the memory of
     * each region goes with the last of its leases. Closing again does nothing. An acquire that waits throws {@code IllegalStateException},
     * and every wake-up is called. With {@code free=prompt} it closes arenas for a second at most, and the library's own thread closes the
     * rest. If leases are out then, the log gets a warning, which says where they were acquired as far as {@code leaks} keeps that.
     *
     * @throws IllegalStateException when the caller is this pool's own policy or size listener
     */
    @Override
    void close();

    /**
     * Settings for one pool; each one set here wins over the system property of the same name. The accepted values and the defaults are
     * those of the setting of the same name.
     *
     * <p><b>Threads.</b> One at a time. May build several pools.
     *
     * <p><b>Errors.</b> A value out of bounds is an {@link IllegalArgumentException}, here or from {@link #build}, which names the setting,
     * the value and what would be accepted.
     */
    interface Builder {
        /**
         * The policy with this name: built-in, or found by {@link java.util.ServiceLoader}.
         *
         * @param policy its {@linkplain BufferPolicy#name name}
         * @return this
         */
        Builder policy(String policy);

        /**
         * A policy of your own.
         *
         * @param policy itself: nothing is looked up
         * @return this
         */
        Builder policy(BufferPolicy policy);

        /**
         * The cap.
         *
         * @param bytes at least 128
         * @return this
         */
        Builder max(long bytes);

        /**
         * What an acquire does at the cap.
         *
         * @param exhaustion fail, wait, or hand out heap memory
         * @return this
         */
        Builder atLimit(Exhaustion exhaustion);

        /**
         * Takes the defaults of a server's own pool: {@code at-limit} is {@code unpooled} unless it is set, here or elsewhere. A server that
         * is given no buffer closes the connection, so at the cap it goes on with plain heap memory, as it did before it had a pool. The cap
         * then holds for the memory that the pool keeps.
         *
         * @return this
         */
        Builder forServer();

        /**
         * The most bytes of one region.
         *
         * @param bytes from 4 KiB to 1 GiB
         * @return this
         */
        Builder regionSize(long bytes);

        /**
         * The largest size that is pooled; it is rounded up to a size class.
         *
         * @param bytes from 1 KiB to 16 MiB, at most the region size
         * @return this
         */
        Builder maxSize(int bytes);

        /**
         * Up to how many bytes {@link ChannelBuffers#readFrom} makes an input larger: the largest message that one connection may send.
         *
         * @param bytes from 1 KiB to {@link #maxSize}
         * @return this
         */
        Builder maxInput(int bytes);

        /**
         * Of what the address of every buffer is a multiple, for policies of direct memory: 4096 for files that are opened with {@code
         * ExtendedOpenOption.DIRECT}. The size of each slot is a multiple too.
         *
         * @param bytes a power of two from 1 to 64 KiB
         * @return this
         */
        Builder align(int bytes);

        /**
         * How much to reserve when the pool is made, for policies that cut views; {@code trim} never goes below it.
         *
         * @param bytes from 0 to the cap
         * @return this
         */
        Builder preallocate(long bytes);

        /**
         * The most that one thread's magazines may hold.
         *
         * @param bytes 0 for none
         * @return this
         */
        Builder threadCache(long bytes);

        /**
         * When memory is overwritten with zeros.
         *
         * @param when never, or at each release or acquire, which then costs a pass over the buffer
         * @return this
         */
        Builder zero(PoolSettings.Zeroing when);

        /**
         * How open leases are tracked.
         *
         * @param tracking a stack kept costs its acquire some microseconds
         * @return this
         */
        Builder leaks(LeakTracking tracking);

        /**
         * The listener to which each lost lease is reported, within seconds of the collection that found it, and in the order in which they
         * were found. With {@code leaks=older} it also gets each lease that is out for too long, not {@linkplain LeakReport#lost lost}, and
         * a second report if that lease is lost later. What it throws is logged, the first time.
         *
         * <p><b>Threads.</b> One thread calls it, with no lock held: a daemon thread of this pool, {@code buffers-callbacks-} and the
         * pool's name, which exists only while it has something to call. A slow listener delays the later callbacks of this pool (reports,
         * the log, wake-ups of {@link #whenAvailable} for room that the library itself has found) and, with a policy of your own, its
         * allocations for threads that wait. While it is behind by 10,000 reports, further losses are only counted. A pool that closes
         * waits for no listener; reports that are due then still reach the listener.
         *
         * @param listener the only one: a later one replaces it
         * @return this
         */
        Builder onLeak(Consumer<LeakReport> listener);

        /**
         * How long memory is unused before it goes back.
         *
         * @param idle more than zero
         * @return this
         */
        Builder trimAfter(Duration idle);

        /**
         * Keeps unused memory until {@link BufferPool#trim} is called; slots that dead threads have left are still returned to their slabs.
         *
         * @return this
         */
        Builder trimNever();

        /**
         * How memory goes back to the operating system.
         *
         * @param how {@code PROMPT} needs Java 22, and a built-in direct policy
         * @return this
         */
        Builder free(PoolSettings.Freeing how);

        /**
         * Whether the pool asks the JVM for a collection when memory that is lost or dropped could prevent a refusal.
         *
         * @param when {@code AUTO} or {@code OFF}; the first also says what these collections may cost
         * @return this
         */
        Builder collect(PoolSettings.Collecting when);

        /**
         * Whether the pool looks for misuse.
         *
         * @param on at the price of a stack, and a pass over the buffer, for each acquire and release
         * @return this
         */
        Builder guard(boolean on);

        /**
         * Whether the pool is visible over JMX, as {@link PoolMXBean}.
         *
         * @param on needs the module {@code java.management}
         * @return this
         */
        Builder jmx(boolean on);

        /**
         * Sets one setting by its text, as the user has written it into the configuration of a framework. Messages then name that place instead
         * of the builder.
         *
         * <pre>{@code
         * builder.set("max", "64MB", "pool.max", "server.yml"); // a refusal says: raise pool.max in server.yml
         * }</pre>
         *
         * @param key such as {@code max-size}
         * @param text a value as the system property of that name takes it
         * @param property under which name the user has set it
         * @param place where the user has set it, such as a file and a line
         * @return this
         */
        Builder set(String key, String text, String property, String place);

        /**
         * Builds a pool.
         *
         * @return a new pool, which the caller must close
         * @throws IllegalArgumentException when the name or a setting is not acceptable: the message says which, and what would be
         * @throws PoolExhaustedException when there is no memory for what {@code preallocate} says
         * @throws IllegalStateException when {@code jmx=true} and this Java has no module {@code java.management}
         */
        BufferPool build();
    }
}
