// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.internal.memory.DirectLimit;
import dev.buffers.support.BurnConnection;
import dev.buffers.support.BurnLedger;
import dev.buffers.support.Conservation;
import dev.buffers.support.Eventually;
import dev.buffers.support.Threads;
import dev.buffers.support.Weighed;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Very many of everything, and in short form many, each in a separate JVM that prints its figures. */
class ScaleTest {
    @Test
    @Tag("scale")
    void hundredThousandChannels() throws Exception {
        run(Channels.class, 512, 512, "-Dscale.count=100000");
    }

    @Test
    @Tag("full")
    void tenThousandChannels() throws Exception {
        run(Channels.class, 512, 512, "-Dscale.count=10000");
    }

    @Test
    @Tag("scale")
    void fourGibibytesOfLeases() throws Exception {
        leases(2048, 4096);
    }

    @Test
    @Tag("full")
    void sixtyFourMebibytesOfLeases() throws Exception {
        leases(256, 64);
    }

    private static void leases(int heap, int max) throws Exception {
        for (int size : new int[] {4096, 65_536}) {
            run(Leases.class, heap, max + 4, "-Dscale.max=" + max, "-Dscale.size=" + size);
        }
    }

    @Test
    @Tag("scale")
    void thousandPools() throws Exception {
        run(Pools.class, 512, 512, "-Dscale.count=1000");
    }

    @Test
    @Tag("full")
    void fiftyPools() throws Exception {
        run(Pools.class, 512, 512, "-Dscale.count=50");
    }

    /** In a JVM with so many mebibytes of heap and of direct memory. */
    private static void run(Class<?> main, int heap, int direct, String... options) throws Exception {
        List<String> all = new ArrayList<>(
                List.of("-XX:TieredStopAtLevel=4", "-Xmx" + heap + "m", "-XX:MaxDirectMemorySize=" + direct + "m"));
        all.addAll(List.of(options));
        Weighed.run(main, all.toArray(String[]::new));
    }

    /** All of them are open, and a tenth of them reads at a time, each time a different one. */
    static final class Channels {
        private static final int CHANNELS = Integer.getInteger("scale.count", 0);

        public static void main(String[] args) throws Exception {
            try (BufferPool pool = BufferPool.builder("channels").max(256 << 20).build()) {
                BurnLedger ledger = new BurnLedger();
                BurnConnection[] all = new BurnConnection[CHANNELS];
                ChannelBuffers[] bare = new ChannelBuffers[CHANNELS];
                pool.channel().close();
                long before = Weighed.heap();
                for (int i = 0; i < CHANNELS; i++) {
                    bare[i] = pool.channel();
                }
                long opened = Weighed.heap();
                Weighed.print("a channel that was never used: %d bytes", (opened - before) / CHANNELS);
                for (ChannelBuffers channel : bare) {
                    channel.input();
                    channel.idle();
                }
                Weighed.print(
                        "a channel that was used and is idle: %d bytes, of which the pool's slots are some",
                        (Weighed.heap() - before) / CHANNELS);
                Reference.reachabilityFence(bare);
                assertEquals(0, Conservation.check(pool).leases());
                assertTrue((opened - before) / CHANNELS <= 80);
                bare = null;
                for (int i = 0; i < CHANNELS; i++) {
                    all[i] = new BurnConnection(pool, i * 0x9E3779B97F4A7C15L, 64 << 10, ledger);
                }
                SplittableRandom random = new SplittableRandom(1);
                BurnConnection[] busy = new BurnConnection[CHANNELS / 10];
                for (int round = 0; round < 30; round++) {
                    int from = random.nextInt(CHANNELS);
                    double millis = Weighed.millis(() -> serve(all, from, busy));
                    if (round % 10 == 9) {
                        Weighed.print(
                                "round %d: %,d events on %,d channels, %.0f ns each with the check of every byte",
                                round, 3L * busy.length, busy.length, millis * 1e6 / 3 / busy.length);
                        Weighed.printMemory("all of them busy", pool);
                        Weighed.printTicks(pool);
                    }
                    for (BurnConnection one : busy) {
                        one.parse(one.unread());
                        one.idle();
                    }
                    assertEquals(0, Conservation.check(pool).leases());
                }
                Weighed.printMemory("all idle", pool);
                for (BurnConnection one : all) {
                    one.close();
                }
                Weighed.assertAllBack(pool);
            }
        }

        private static void serve(BurnConnection[] all, int from, BurnConnection[] busy) throws Exception {
            for (int i = 0; i < busy.length; i++) {
                busy[i] = all[(from + i * 7) % all.length];
                busy[i].read(500);
            }
            for (BurnConnection one : busy) {
                one.handOff(300).release();
            }
            for (BurnConnection one : busy) {
                one.read(500);
            }
        }
    }

    /** As many leases of one size as the cap holds, all out at once. Direct memory comes zeroed, so all of it is touched. */
    static final class Leases {
        private static final long MAX = Long.getLong("scale.max", 0) << 20;

        public static void main(String[] args) throws Exception {
            int size = Integer.getInteger("scale.size");
            try (BufferPool pool = BufferPool.builder("gibibytes").max(MAX).build()) {
                int most = (int) (MAX / size);
                PooledBuffer[] leases = new PooledBuffer[most];
                Weighed.print("with 10 live: %.0f ns for an acquire and release", perPair(pool, size, leases, 10));
                long before = Weighed.heap();
                double millis = Weighed.millis(() -> fill(pool, size, leases));
                int n = (int) pool.stats().leases();
                Weighed.print(
                        "%,d leases of %,d bytes: %.0f ns each, the memory's zeroing included",
                        n, size, millis * 1e6 / n);
                assertEquals(n, Conservation.check(pool, n).leases());
                assertTrue(n > most * 0.95, () -> "leases: " + pool.stats());
                Weighed.printMemory("all out", pool);
                Weighed.print("heap: %d bytes for each, lease and slot", (Weighed.heap() - before) / n);
                Weighed.print("a whole collection: %.0f ms", Weighed.millis(System::gc));
                Weighed.printTicks(pool);
                leases[--n].release();
                PooledBuffer[] some = new PooledBuffer[10];
                Weighed.print(
                        "with all but one live: %.0f ns for an acquire and release", perPair(pool, size, some, 0));
                int out = n;
                Weighed.print(
                        "releasing all: %.0f ns each",
                        Weighed.millis(() -> {
                                    for (int i = 0; i < out; i++) {
                                        leases[i].release();
                                        leases[i] = null;
                                    }
                                })
                                * 1e6
                                / n);
                Weighed.printMemory("all back", pool);
                Weighed.printTicks(pool);
                Weighed.print("trim(): %.0f ms", Weighed.millis(pool::trim));
                Weighed.assertAllBack(pool);
            }
        }

        private static void fill(BufferPool pool, int size, PooledBuffer[] leases) {
            for (int i = 0; i < leases.length; i++) {
                leases[i] = pool.tryAcquire(size);
                if (leases[i] == null) {
                    return;
                }
                leases[i].buffer().put(0, (byte) i);
            }
        }

        private static double perPair(BufferPool pool, int size, PooledBuffer[] live, int count) throws Exception {
            for (int i = 0; i < count; i++) {
                live[i] = pool.acquire(size);
            }
            int pairs = 2_000_000;
            double millis = 0;
            for (int warm = 0; warm < 3; warm++) {
                millis = Weighed.millis(() -> {
                    for (int i = 0; i < pairs; i++) {
                        PooledBuffer lease = pool.acquire(size);
                        lease.buffer().put(0, (byte) i);
                        lease.release();
                    }
                });
            }
            for (int i = 0; i < count; i++) {
                live[i].release();
                live[i] = null;
            }
            return millis * 1e6 / pairs;
        }
    }

    /** All of them open and used by two threads. */
    static final class Pools {
        private static final int POOLS = Integer.getInteger("scale.count", 0);

        public static void main(String[] args) throws Exception {
            ThreadMXBean threads = ManagementFactory.getThreadMXBean();
            BufferPool.builder("first").max(1 << 20).build().close();
            Eventually.holds("no pool, no daemon", () -> Threads.daemons().isEmpty());
            int threadsBefore = threads.getThreadCount();
            long before = Weighed.heap();
            List<BufferPool> pools = new ArrayList<>();
            double millis = Weighed.millis(() -> {
                for (int i = 0; i < POOLS; i++) {
                    pools.add(BufferPool.builder("pool").max(1 << 20).build());
                }
            });
            Weighed.print(
                    "made, all of one name: %.3f ms each, the last is %s",
                    millis / POOLS, pools.get(POOLS - 1).name());
            assertEquals("pool-" + POOLS, pools.get(POOLS - 1).name());
            Weighed.print("heap: %d bytes for a pool that was never used", (Weighed.heap() - before) / POOLS);
            Threads.together(List.of(() -> use(pools), () -> use(pools)));
            use(pools);
            Weighed.print(
                    "heap: %d bytes for a pool that three threads have used in three sizes",
                    (Weighed.heap() - before) / POOLS);
            long reserved = pools.stream()
                    .mapToLong(pool -> Conservation.check(pool).reservedBytes())
                    .sum();
            Weighed.print(
                    "reserved %,d KiB in each; direct %,d MiB; resident %,d MiB; threads more than before: %d",
                    (reserved >> 10) / POOLS,
                    DirectLimit.used() >> 20,
                    Weighed.resident() >> 20,
                    threads.getThreadCount() - threadsBefore);
            assertTrue(threads.getThreadCount() - threadsBefore <= 1);
            Thread trimmer = Threads.daemons().get(0);
            long start = System.nanoTime();
            long cpu = threads.getThreadCpuTime(trimmer.getId());
            Thread.sleep(5_000);
            Weighed.print(
                    "the daemon for all of them: %.2f %% of one core",
                    100.0 * (threads.getThreadCpuTime(trimmer.getId()) - cpu) / (System.nanoTime() - start));
            Weighed.print("closed: %.3f ms each", Weighed.millis(() -> pools.forEach(BufferPool::close)) / POOLS);
            for (BufferPool pool : pools) {
                Eventually.collected("a closed pool keeps no memory", () -> {
                    PoolStats closed = Conservation.check(pool);
                    return closed.reservedBytes() + closed.droppedBytes() == 0;
                });
            }
            pools.clear();
            Eventually.collected(
                    "the daemon ends, and the memory goes",
                    () -> Threads.daemons().isEmpty() && DirectLimit.used() < 1 << 20);
            Weighed.print("heap: %,d KiB more than before them", Weighed.heap() - before >> 10);
            try (BufferPool again = BufferPool.builder("pool").max(1 << 20).build()) {
                assertEquals("pool", again.name());
            }
            assertFalse(threads.getThreadCount() > threadsBefore + 1);
        }

        private static void use(List<BufferPool> pools) {
            for (BufferPool pool : pools) {
                for (int size : new int[] {200, 4096, 16_384}) {
                    pool.acquire(size).release();
                }
            }
        }
    }
}
