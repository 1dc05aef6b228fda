// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.upkeep;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.ChannelBuffers;
import dev.buffers.LeakTracking;
import dev.buffers.PooledBuffer;
import dev.buffers.internal.memory.Budget;
import dev.buffers.internal.memory.RegionAllocator;
import dev.buffers.internal.settings.SettingKey;
import dev.buffers.support.BareOwner;
import dev.buffers.support.Eventually;
import dev.buffers.support.Jvm;
import dev.buffers.support.Kind;
import dev.buffers.support.Leases;
import dev.buffers.support.Peek;
import dev.buffers.support.Threads;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The one thread for all pools: what it is, what it survives, and that it holds nothing. */
class MaintenanceThreadTest {

    private static BufferPool.Builder views(String name) {
        return BufferPool.builder(name).policy("heap-view").max(8 << 20);
    }

    /** It comes with the first pool and goes with the last, and there is one of it. */
    static final class OneForAll {
        public static void main(String[] args) throws Exception {
            System.out.println(Threads.daemons().size());
            List<BufferPool> pools = new ArrayList<>();
            Thread.currentThread().setContextClassLoader(new URLClassLoader(new URL[0]));
            Thread maker = new Thread(new ThreadGroup("mine"), () -> {
                for (int i = 0; i < 20; i++) {
                    pools.add(views("one").build());
                }
            });
            maker.start();
            maker.join();
            Eventually.holds(
                    "those that came second have ended", () -> Threads.daemons().size() == 1);
            Thread daemon = Threads.daemons().get(0);
            System.out.println(Threads.daemons().size() + " " + daemon.isDaemon() + " " + daemon.getContextClassLoader()
                    + " " + daemon.getThreadGroup().getName());
            BufferPool last = pools.remove(19);
            pools.forEach(BufferPool::close);
            Thread.sleep(100);
            System.out.println(daemon.isAlive());
            last.close();
            daemon.join();
            System.out.println(daemon.isAlive() + " " + Threads.daemons().size());
            try (BufferPool again = views("again").build()) {
                System.out.println(Threads.daemons().size());
                Leases.lose(again, 4096);
                Eventually.collected("the loss is heard of", () -> again.stats().leaks() == 1);
            }
        }
    }

    @Test
    void oneDaemonRunsFromFirstPoolToLast() throws Exception {
        String text = Jvm.run(OneForAll.class);
        assertTrue(text.startsWith("0\n1 true null system\ntrue\nfalse 0\n1\n"), text);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void unclosedPoolIsCollected(boolean guard) {
        String[] name = new String[1];
        WeakReference<BufferPool> pool = forgotten(guard, name);
        Eventually.collected("the pool is collected", () -> pool.get() == null);
        Eventually.holds("its name is free", () -> {
            try (BufferPool again = views("forgotten").build()) {
                return again.name().equals(name[0]);
            }
        });
    }

    private static WeakReference<BufferPool> forgotten(boolean guard, String[] name) {
        BufferPool pool = views("forgotten").guard(guard).onLeak(report -> {}).build();
        PooledBuffer out = pool.acquire(100_000);
        pool.acquire(4096).release();
        pool.channel().input();
        out.buffer().put(0, (byte) 1);
        name[0] = pool.name();
        return new WeakReference<>(pool);
    }

    /** In a separate JVM, whose default budget no other pool uses. */
    static final class Share {
        public static void main(String[] args) {
            try (BufferPool other =
                    BufferPool.builder("sharing").policy("heap-view").build()) {
                RegionAllocator regions = Peek.regions(other);
                assertEquals(regions.budget.max() - (4 << 20), shareAndForget(regions));
                // Not asked for by any pool: the daemon hears it.
                Eventually.collected("the share comes back", () -> regions.budget.room() == regions.budget.max());
                System.out.println("it came back");
            }
        }

        /** The room that is left in the meantime. */
        private static long shareAndForget(RegionAllocator regions) {
            BufferPool pool = BufferPool.builder("sharing").policy("heap-view").build();
            PooledBuffer lease = pool.acquire(4 << 20);
            long room = regions.budget.room();
            Reference.reachabilityFence(lease);
            Reference.reachabilityFence(pool);
            return room;
        }
    }

    @Test
    void shareOfDefaultBudgetComesBack() throws Exception {
        assertEquals("it came back\n", Jvm.run(Share.class, "-Xmx64m"));
    }

    /** One pool with the default budget has memory; others come and go. */
    static final class GoneByOne {
        public static void main(String[] args) {
            try (BufferPool living =
                            BufferPool.builder("living").policy("heap-view").build();
                    PooledBuffer lease = living.acquire(4096)) {
                for (int i = 0; i < 20; i++) {
                    BufferPool.builder("gone").policy("heap-view").build();
                }
                Eventually.collected("one is watched for all that are gone", () -> watches() <= 2);
                System.out.println(lease.isOpen() ? "it is" : "");
            }
        }

        private static int watches() {
            return ((List<?>) Peek.field(null, MaintenanceThread.class, "WATCHES")).size();
        }
    }

    @Test
    void poolsThatAreGoneAreWatchedOnceForTheirBudget() throws Exception {
        assertEquals("it is\n", Jvm.run(GoneByOne.class, "-Xmx64m"));
    }

    // ---------------------------------------------------------------- the pause after a tick

    /** A pool that only ticks, and keeps how long after the end of one tick the next one begins. */
    private static final class Ticking extends BareOwner {
        final List<Long> pauses = new CopyOnWriteArrayList<>();
        private final Runnable work;
        private final long again;
        private long ended;

        Ticking(long again, Runnable work) {
            this.again = again;
            this.work = work;
        }

        @Override
        public long tick(long now) {
            if (ended != 0) {
                pauses.add((System.nanoTime() - ended) / 1_000_000);
            }
            if (isClosed()) {
                return -1;
            }
            work.run();
            ended = System.nanoTime();
            return again;
        }

        /** The shortest pause in milliseconds, of so many. */
        long shortestPause(int count) {
            try (this) {
                MaintenanceThread.watch(this, () -> {}, new Budget(1));
                Eventually.holds("it ticks", () -> pauses.size() >= count);
                return pauses.stream().mapToLong(pause -> pause).min().orElseThrow();
            }
        }

        long lastPause() {
            return pauses.isEmpty() ? 0 : pauses.get(pauses.size() - 1);
        }

        @Override
        public void close() {
            beginClose();
            MaintenanceThread.requestTick();
            super.close();
        }
    }

    private static void burn(long millis) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long end = threads.getCurrentThreadCpuTime() + millis * 1_000_000;
        while (threads.getCurrentThreadCpuTime() < end) {
            Thread.onSpinWait();
        }
    }

    /** T3: a pool whose tick needs 100 ms of processor time is left alone for a second more than the usual one. */
    @Tag("full")
    @Test
    void tickThatNeedsProcessorTimeIsFollowedByLongerPause() {
        long pause = new Ticking(MaintenanceThread.TICK, () -> burn(100)).shortestPause(1);
        assertTrue(pause >= 1_900, () -> "pause: " + pause + " ms");
    }

    /** Waiting for a lock, or for a machine that stands still, is no work. A slow machine makes some pause longer, but not all. */
    @Tag("full")
    @Test
    void tickThatOnlyWaitsIsFollowedByUsualPause() {
        Eventually.within(
                1_500,
                () -> new Ticking(MaintenanceThread.TICK, () -> LockSupport.parkNanos(300_000_000)).shortestPause(1));
    }

    @Test
    void tickWithWaiterIsFollowedByNoLongerPause() {
        Eventually.within(500, () -> new Ticking(MaintenanceThread.PRESSURE_TICK, () -> burn(100)).shortestPause(3));
    }

    /** A quarter more each time makes 200 ms of 20 ms in a second. */
    @Test
    void ticksWithWaiterBecomeRarerUntilNewWaiterComes() {
        try (Ticking pool = new Ticking(MaintenanceThread.PRESSURE_TICK, () -> {})) {
            MaintenanceThread.watch(pool, () -> {}, new Budget(1));
            Eventually.holds("a pause is longer", () -> pool.lastPause() >= 200);
            Eventually.within(150, () -> {
                int ticks = pool.pauses.size();
                MaintenanceThread.requestTick();
                Eventually.holds("two ticks", () -> pool.pauses.size() >= ticks + 2);
                return pool.pauses.get(ticks + 1);
            });
        }
    }

    // ---------------------------------------------------------------- class loaders

    /** Uses the library as an application does. */
    public static final class Application implements Supplier<Object>, IntFunction<ByteBuffer> {
        private static final ThreadLocal<Object> MINE = new ThreadLocal<>();

        @Override
        public ByteBuffer apply(int bytes) {
            return ByteBuffer.allocate(bytes);
        }

        /** Leaves a pool open, and a lease out. */
        @Override
        public Object get() {
            MINE.remove();
            BufferPool pool = BufferPool.builder("application")
                    .policy(Kind.own(this))
                    .max(8 << 20)
                    .leaks(LeakTracking.all())
                    .onLeak(report -> {})
                    .build();
            pool.acquire(100);
            PooledBuffer released = pool.acquire(8192);
            released.release();
            try (PooledBuffer one = pool.acquire(4096);
                    ChannelBuffers channel = pool.channel()) {
                channel.input().put((byte) 1);
                one.buffer().put((byte) 1);
            }
            pool.whenAvailable(100, () -> {});
            if (SettingKey.ALL.indexOf(SettingKey.JMX) < 0) { // compares keys, as a map of settings may
                throw new AssertionError("not declared");
            }
            return pool;
        }
    }

    @Test
    void separateClassLoaderIsCollectedWithLibrary() throws Exception {
        WeakReference<ClassLoader> loader = runIn(ClassLoader.getPlatformClassLoader());
        Eventually.collected("the library's class loader is collected", () -> loader.get() == null);
    }

    @Test
    void classLoaderOfApplicationIsCollectedWithoutLibrary() throws Exception {
        try (BufferPool ours = views("ours").build()) {
            WeakReference<ClassLoader> loader = runIn(new OnlyTheLibrary(MaintenanceThreadTest.class.getClassLoader()));
            Eventually.collected("the application's class loader is collected", () -> loader.get() == null);
            ours.acquire(100).release();
        }
    }

    /** Lets through all but the application. */
    private static final class OnlyTheLibrary extends ClassLoader {
        OnlyTheLibrary(ClassLoader parent) {
            super(parent);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.equals(Application.class.getName())) {
                throw new ClassNotFoundException(name);
            }
            return super.loadClass(name, resolve);
        }
    }

    private static WeakReference<ClassLoader> runIn(ClassLoader parent) throws Exception {
        return Threads.call(() -> {
            URLClassLoader own = new URLClassLoader(Jvm.classPath(), parent);
            Thread.currentThread().setContextClassLoader(own);
            Class<?> application = own.loadClass(Application.class.getName());
            assertEquals(own, application.getClassLoader());
            assertNotNull(((Supplier<?>) application.getConstructor().newInstance()).get());
            return new WeakReference<>(own);
        });
    }
}
