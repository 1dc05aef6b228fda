// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.support;

import static org.junit.jupiter.api.Assertions.assertNotNull;

import dev.buffers.BufferPool;
import dev.buffers.ChannelBuffers;
import dev.buffers.PoolExhaustedException;
import dev.buffers.PoolStats;
import dev.buffers.PooledBuffer;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/**
 * A recursive codec on a small stack: its stack overflows again and again, at whatever instruction of the pool it happens to reach,
 * and its caller catches the error and goes on. Then the pool must serve on, and after a collection every byte is accounted for.
 */
public final class Overflow {
    private static final int STACK = 512 << 10;
    private static final int SIZE = 1000;

    /** The work of the codec in the last frames of its stack. */
    public enum Kind {
        /** Acquires and releases at once. */
        HITS,
        /** Holds a lease of some size in each frame. */
        HOLDS,
        /** The same with sizes that are larger than any class. */
        OVERSIZE,
        /** Further leases and parts. */
        FURTHER,
        /** Reads, hands off and acquires through a channel that is idle at times. */
        CHANNELS,
        /** Waits at the cap, with threads and wake-ups. */
        WAITS,
        /** Looks at the figures, trims. */
        FIGURES
    }

    /** All kinds in one JVM: the mode of compilation is the JVM's. Its arguments: how many overflows of each, a seed. */
    public static void main(String[] args) throws Exception {
        long seed = Long.parseLong(args[1]);
        for (String policy : List.of("direct-view", "heap", "unpooled")) {
            seed = each(
                    BufferPool.builder("overflow").policy(policy), Integer.parseInt(args[0]), seed, Overflow::thread);
        }
    }

    /** All kinds on such pools; the next seed. */
    public static long each(BufferPool.Builder builder, int overflows, long seed, Function<Runnable, Thread> threads)
            throws Exception {
        long next = seed;
        for (Kind kind : Kind.values()) {
            BufferPool pool = builder.max(32 << 20).build();
            long start = System.nanoTime();
            run(pool, kind, overflows, next++, threads);
            System.out.println(kind + ": overflows=" + overflows + " "
                    + pool.settings().policy() + " ms=" + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start)
                    + " leaks=" + pool.stats().leaks());
        }
        return next;
    }

    private static Thread thread(Runnable work) {
        return new Thread(null, work, "overflow", STACK);
    }

    private final BufferPool pool;
    private final Kind kind;
    private final SplittableRandom random;

    /** The last lease: each is stored, so that it leaves its method. */
    private PooledBuffer last;

    private ChannelBuffers channel;
    private int reached;
    private int overflows;

    private Overflow(BufferPool pool, Kind kind, long seed) {
        this.pool = pool;
        this.kind = kind;
        this.random = new SplittableRandom(seed);
        this.channel = pool.channel();
    }

    /** Overflows so many stacks, then looks at the pool and closes it. */
    public static void run(BufferPool pool, Kind kind, int overflows, long seed) throws Exception {
        run(pool, kind, overflows, seed, Overflow::thread);
    }

    /** The same on such a thread, platform or virtual. */
    public static void run(BufferPool pool, Kind kind, int overflows, long seed, Function<Runnable, Thread> threads)
            throws Exception {
        PooledBuffer filling =
                kind == Kind.WAITS ? pool.acquire((int) (pool.settings().maxBytes() * 7 / 8)) : null;
        Overflow codec = new Overflow(pool, kind, seed);
        join(threads.apply(() -> {
            codec.warmUp();
            while (codec.overflows < overflows) {
                codec.overflow();
            }
            codec.channel.close();
            codec.last = null;
            codec.channel = pool.channel();
        }));
        if (filling != null) {
            filling.close();
        }
        check(pool);
        pool.close();
    }

    /** Serves every size, and then nothing stays: a separate thread asks for all of it. */
    public static void check(BufferPool pool) throws Exception {
        join(new Thread(() -> {
            for (int size = 0; size <= pool.settings().maxSize(); size = 2 * size + 1) {
                int asked = size;
                Eventually.collected("it serves: size=" + asked, () -> {
                    PooledBuffer lease = pool.tryAcquire(asked);
                    return lease != null && lease.release();
                });
            }
        }));
        Eventually.collected(() -> "nothing stays out: " + pool.stats(), () -> {
            PoolStats stats = pool.stats();
            return stats.leases() == 0 && stats.leasedBytes() == 0;
        });
        Conservation.check(pool);
        Eventually.collected(() -> "nothing stays reserved: " + pool.stats(), () -> {
            pool.trim();
            return pool.stats().reservedBytes() == 0;
        });
        Conservation.check(pool);
        Eventually.collected( // dropped memory is room once the collector has it
                () -> "no waiter is left beside free memory: " + pool.stats(),
                () -> pool.stats().waiters() == 0);
    }

    /** Runs it, no longer than ten minutes: no test has an eye on this JVM. */
    private static void join(Thread thread) throws Exception {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        thread.setUncaughtExceptionHandler((t, e) -> failure.set(e));
        thread.setDaemon(true);
        thread.start();
        thread.join(600_000);
        if (thread.isAlive()) {
            AssertionError hangs = new AssertionError("it hangs");
            hangs.setStackTrace(thread.getStackTrace());
            throw hangs;
        }
        if (failure.get() != null) {
            throw new AssertionError(failure.get());
        }
    }

    /**
     * The codec's work from the first frame on: every class is initialized while the stack has room. A class whose initializer
     * overflows is unusable permanently, and its use a NoClassDefFoundError.
     */
    private void warmUp() {
        try {
            dive(0, 0);
        } catch (StackOverflowError | PoolExhaustedException e) {
            // this one is not counted
        }
    }

    private void overflow() {
        try {
            reached = 0;
            dive(0, Integer.MAX_VALUE);
        } catch (StackOverflowError e) {
            // now it is known how deep that is
        }
        // The first is a miss, for which the last frames have no room. At the cap all that is free may be dropped
        // memory of other sizes.
        for (int i = 0; i < 4; i++) {
            PooledBuffer lease = pool.tryAcquire(SIZE);
            if (lease != null) {
                lease.close();
            }
        }
        int from = reached - random.nextInt(1, random.nextBoolean() ? 60 : 1000);
        int shift = random.nextInt(40);
        try {
            shifted(shift, Math.max(0, from - shift));
        } catch (StackOverflowError e) {
            overflows++;
        } catch (PoolExhaustedException e) {
            // at the cap as well
        }
    }

    /** Frames of another size, so that the end of the stack comes at another instruction. */
    private void shifted(int frames, int from) {
        if (frames == 0) {
            dive(0, from);
        } else {
            shifted(frames - 1, from);
        }
    }

    private void dive(int depth, int from) {
        reached = depth;
        if (depth < from) {
            dive(depth + 1, from);
        } else {
            work(depth, from);
        }
    }

    private void work(int depth, int from) {
        switch (kind) {
            case HITS -> {
                try (PooledBuffer lease = (last = pool.acquire(SIZE))) {
                    lease.buffer().put(0, (byte) depth);
                }
                dive(depth + 1, from);
            }
            case HOLDS, OVERSIZE -> {
                int size = kind == Kind.HOLDS ? random.nextInt(20_000) : 200_000 + random.nextInt(100_000);
                try (PooledBuffer lease = (last = pool.acquire(size))) {
                    lease.buffer();
                    dive(depth + 1, from);
                }
            }
            case FURTHER -> {
                try (PooledBuffer lease = (last = pool.acquire(SIZE));
                        PooledBuffer further = (last = lease.retain());
                        PooledBuffer part = (last = further.slice(1, 2))) {
                    lease.release();
                    part.buffer();
                    dive(depth + 1, from);
                }
            }
            case CHANNELS -> {
                channel.input(random.nextInt(10_000)).put((byte) 1);
                try (PooledBuffer lease = (last = channel.acquire(SIZE));
                        PooledBuffer worker = (last = channel.handOffInput())) {
                    worker.buffer().put(0, lease.buffer().get(0));
                }
                if (random.nextInt(4) == 0) {
                    channel.idle();
                }
                dive(depth + 1, from);
            }
            case WAITS -> {
                if (random.nextInt(4) == 0) {
                    pool.whenAvailable(random.nextInt(60_000), () -> {});
                }
                try (PooledBuffer lease = (last = pool.acquire(random.nextInt(60_000), Duration.ofNanos(1000)))) {
                    lease.buffer();
                    dive(depth + 1, from);
                }
            }
            case FIGURES -> {
                assertNotNull(pool.stats());
                if (random.nextInt(200) == 0) {
                    pool.trim();
                }
                try (PooledBuffer lease = (last = pool.acquire(SIZE))) {
                    lease.buffer();
                }
                dive(depth + 1, from);
            }
            default -> throw new IllegalStateException("kind: " + kind);
        }
    }
}
