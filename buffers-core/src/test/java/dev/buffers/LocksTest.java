// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.buffers.support.Eventually;
import dev.buffers.support.Jvm;
import dev.buffers.support.Kind;
import dev.buffers.support.Leases;
import dev.buffers.support.Logged;
import dev.buffers.support.Peek;
import dev.buffers.support.Threads;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.MonitorInfo;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import javax.management.MBeanServer;
import javax.management.MBeanServerDelegate;
import javax.management.MBeanServerNotification;
import javax.management.NotificationListener;
import javax.management.ObjectName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No thread takes a lock of the JDK, or calls a user's code, while it holds a monitor of the library (I10). */
class LocksTest {
    private static final int SIZE = 4096;
    private static final int MAX = 256 << 10;
    private static final int THREADS = 4;
    private static final int ROUNDS = 250;
    private static final List<String> EVERYWHERE =
            List.of("hint", "leak listener", "log", "lost", "registered", "size listener", "unregistered", "wake-up");

    private static final class WatchedQueue<T> extends ReferenceQueue<T> {
        private final Runnable polled;

        WatchedQueue(Runnable polled) {
            this.polled = polled;
        }

        @Override
        public Reference<? extends T> poll() {
            polled.run();
            return super.poll();
        }
    }

    /** On Java 21 a separate lock guards a reference queue, and a virtual thread must not wait for it. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void daemonAlonePollsQueueOfLost(boolean guard) {
        Set<String> threads = ConcurrentHashMap.newKeySet();
        BufferPool pool = BufferPool.builder("polled")
                .policy("heap")
                .max(SIZE)
                .maxSize(SIZE)
                .guard(guard)
                .build();
        Peek.replaceQueue(
                pool,
                new WatchedQueue<>(() -> threads.add(Thread.currentThread().getName())));
        Leases.lose(pool, SIZE);
        Eventually.collected("it serves again", () -> {
            pool.trim();
            PooledBuffer again = pool.tryAcquire(SIZE);
            return again != null && again.release();
        });
        pool.close();
        assertEquals(1, pool.stats().leaks());
        assertEquals(Set.of("buffers-maintenance"), threads);
    }

    private static BufferPool.Builder ofKind(String kind, HeldMonitors monitors) {
        BufferPool.Builder builder = BufferPool.builder("locks-" + kind);
        return kind.startsWith("user")
                ? builder.policy(Kind.own(true, kind.endsWith("view"), bytes -> {
                    monitors.check("policy");
                    return ByteBuffer.allocateDirect(bytes);
                }))
                : builder.policy(kind);
    }

    /** The platform's MBean server notifies in the thread that registers. */
    private static NotificationListener atServer(HeldMonitors monitors) {
        return (notification, handback) -> {
            ObjectName name = ((MBeanServerNotification) notification).getMBeanName();
            if (name.getDomain().equals("dev.buffers")) {
                monitors.check(
                        notification.getType().equals(MBeanServerNotification.REGISTRATION_NOTIFICATION)
                                ? "registered"
                                : "unregistered");
            }
        };
    }

    /**
     * The first call of a VarHandle or a lambda links it. That allocates, and on Java 21 takes the lock of a ReferenceQueue. The JVM prints
     * this to {@code System.out}.
     */
    @Test
    void nothingIsLinkedUnderMonitorOfTheLibrary() throws Exception {
        nothingIsLinkedUnderMonitorByAnyPolicy("direct-view");
    }

    @Tag("full")
    @ParameterizedTest
    @ValueSource(strings = {"heap", "heap-view", "user-view"})
    void nothingIsLinkedUnderMonitorByAnyPolicy(String kind) throws Exception {
        String[] options = {"-Djava.lang.invoke.MethodHandle.TRACE_METHOD_LINKAGE=true"};
        String printed = Jvm.run(100, Linked.class, options, kind).strip();
        assertEquals("linkage, held: []", printed.substring(printed.lastIndexOf('\n') + 1));
    }

    /** Exercises a pool in a JVM that prints what it links. */
    static final class Linked extends PrintStream {
        private final HeldMonitors monitors;
        private final ThreadLocal<Boolean> inside = new ThreadLocal<>();

        private Linked(HeldMonitors monitors) {
            super(OutputStream.nullOutputStream());
            this.monitors = monitors;
        }

        public static void main(String[] arguments) throws Exception {
            PrintStream out = System.out;
            HeldMonitors linked = new HeldMonitors();
            System.setOut(new Linked(linked));
            HeldMonitors others = new HeldMonitors();
            exercise(arguments[0], others);
            out.print((linked.reached.contains("linkage") ? "linkage, " : "") + "held: " + linked.held + "\n");
        }

        @Override
        public void println(String line) {
            if (line.startsWith("link") && inside.get() == null) {
                inside.set(true); // the check itself links
                monitors.check("linkage");
                inside.remove();
            }
        }
    }

    @Tag("full")
    @ParameterizedTest
    @ValueSource(strings = {"direct", "heap-view", "user-exact"})
    void jdkLocksAreTakenUnderNoMonitorByAnyPolicy(String kind) throws Exception {
        jdkLocksAreTakenUnderNoMonitorOfTheLibrary(kind);
    }

    @ParameterizedTest
    @ValueSource(strings = {"heap", "direct-view", "user-view"})
    void jdkLocksAreTakenUnderNoMonitorOfTheLibrary(String kind) throws Exception {
        HeldMonitors monitors = new HeldMonitors();
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        NotificationListener atServer = atServer(monitors);
        server.addNotificationListener(MBeanServerDelegate.DELEGATE_NAME, atServer, null, null);
        try {
            exercise(kind, monitors);
        } finally {
            server.removeNotificationListener(MBeanServerDelegate.DELEGATE_NAME, atServer);
        }
        TreeSet<String> expected = new TreeSet<>(EVERYWHERE);
        if (kind.startsWith("user")) {
            expected.add("policy");
        }
        assertEquals(Collections.emptySet(), monitors.held);
        assertEquals(expected, monitors.reached);
    }

    @SuppressWarnings("try") // the log is watched, and that is all
    private static void exercise(String kind, HeldMonitors monitors) throws Exception {
        try (Logged log = new Logged("locks-", record -> monitors.check("log"))) {
            use(kind, monitors);
        }
    }

    private static void use(String kind, HeldMonitors monitors) throws Exception {
        BufferPool pool = ofKind(kind, monitors)
                .max(MAX)
                .maxSize(16 << 10)
                .regionSize(64 << 10)
                .threadCache(4 << 10)
                .leaks(LeakTracking.all())
                .trimAfter(Duration.ofMillis(10))
                .onLeak(report -> monitors.check("leak listener"))
                .jmx(true)
                .build();
        Peek.replaceQueue(pool, new WatchedQueue<>(() -> monitors.check("lost")));
        pool.addSizeListener(size -> {
            if (size % 7 == 0) {
                monitors.check("size listener");
            }
        });
        List<Threads.Action> actions = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int seed = i;
            actions.add(() -> new Worker(pool, monitors, new Random(seed)).work());
        }
        Threads.together(actions);
        lose(pool);
        Eventually.collected("a lost lease is reported", () -> monitors.reached.contains("leak listener"));
        PooledBuffer open = acquire(pool);
        pool.close();
        Eventually.holds("the open lease is logged", () -> monitors.reached.contains("log"));
        open.release();
    }

    /** The trace of a lease is held here, so the report of it cannot be made. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void openLeasesAreReportedUnderNoMonitorOfTheStore(boolean dump) throws Exception {
        try (BufferPool pool = BufferPool.builder("reported")
                        .policy("heap-view")
                        .max(1 << 20)
                        .leaks(LeakTracking.all())
                        .build();
                PooledBuffer lease = pool.acquire(100)) {
            Thread reporter = new Thread(dump ? pool::dump : pool::openLeases);
            synchronized (Objects.requireNonNull(Peek.slot(lease).trace)) {
                reporter.start();
                Eventually.holds("the report is held", () -> reporter.getState() == Thread.State.BLOCKED);
                Threads.run(() -> pool.acquire(4096).release());
            }
            reporter.join();
        }
    }

    /** A lease, once the collector has taken the dropped memory. */
    private static PooledBuffer acquire(BufferPool pool) {
        PooledBuffer[] lease = new PooledBuffer[1];
        Eventually.collected("there is room", () -> (lease[0] = pool.tryAcquire(100)) != null);
        return lease[0];
    }

    private static void lose(BufferPool pool) {
        acquire(pool).buffer().put(0, (byte) 1);
    }

    /** One thread that does everything, in a random order. */
    private static final class Worker {
        private final BufferPool pool;
        private final HeldMonitors monitors;
        private final Random random;
        private final Deque<PooledBuffer> leases = new ArrayDeque<>();
        private final ChannelBuffers channel;

        Worker(BufferPool pool, HeldMonitors monitors, Random random) {
            this.pool = pool;
            this.monitors = monitors;
            this.random = random;
            this.channel = pool.channel();
        }

        void work() {
            for (int i = 0; i < ROUNDS; i++) {
                step(random.nextInt(20));
                if (leases.size() > 12) {
                    releaseAll();
                }
            }
            releaseAll();
            channel.close();
        }

        private void releaseAll() {
            leases.forEach(PooledBuffer::release);
            leases.clear();
        }

        private void step(int what) {
            int size = 1 + random.nextInt(16 << 10);
            switch (what) {
                case 0, 1, 2, 3, 4 -> keep(pool.tryAcquire(size));
                case 5 -> keep(pool.tryAcquire(17 << 10)); // oversize
                case 6, 7 -> acquireOrRefuse(size, Duration.ofMillis(1));
                case 8 -> acquireOrRefuse(20 << 10, Duration.ofMillis(1));
                case 9 -> pool.whenAvailable(size, () -> monitors.check("wake-up"));
                case 10 -> pool.trim();
                case 11 -> pool.stats();
                case 12 -> pool.dump();
                case 13 -> pool.openLeases();
                case 14 -> useChannel();
                case 15 -> loseOne();
                default -> end();
            }
        }

        private void keep(PooledBuffer lease) {
            if (lease != null) {
                leases.add(lease);
            }
        }

        private void acquireOrRefuse(int size, Duration patience) {
            try {
                keep(pool.acquire(size, patience));
            } catch (PoolExhaustedException e) {
                releaseAll();
            }
        }

        private void useChannel() {
            try {
                channel.input(2000).put((byte) 1);
                keep(channel.handOffInput());
                channel.idle();
            } catch (PoolExhaustedException e) {
                releaseAll();
            }
        }

        private void loseOne() {
            leases.poll();
            if (random.nextInt(8) == 0) {
                System.gc();
            }
        }

        private void end() {
            PooledBuffer lease = leases.poll();
            if (lease == null) {
                return;
            }
            lease.touch(new Object() {
                @Override
                public String toString() {
                    monitors.check("hint");
                    return "hint";
                }
            });
            if (random.nextInt(8) == 0) {
                lease.discard();
            } else if (random.nextInt(4) == 0) {
                lease.retain().release();
                lease.release();
            } else {
                lease.release();
            }
        }
    }

    /**
     * Looks, where the library calls code that may block or take a lock of the JDK, whether the current thread holds a monitor of the library.
     * Any platform thread.
     */
    static final class HeldMonitors {
        private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
        private static final String OURS = "dev.buffers.internal.";

        /** The places that threads have reached. */
        final Set<String> reached = new ConcurrentSkipListSet<>();

        /** The monitors that a thread held at such a place. */
        final Set<String> held = new ConcurrentSkipListSet<>();

        /** Notes that the current thread is at {@code place}, and the monitors that it took in a method of the library. */
        void check(String place) {
            reached.add(place);
            ThreadInfo info =
                    THREADS.getThreadInfo(new long[] {Thread.currentThread().getId()}, true, false)[0];
            Arrays.stream(info.getLockedMonitors())
                    .filter(HeldMonitors::isOurs)
                    .forEach(monitor -> held.add(place + ": " + monitor.getClassName() + " locked by "
                            + monitor.getLockedStackFrame().getClassName() + "."
                            + monitor.getLockedStackFrame().getMethodName()));
        }

        private static boolean isOurs(MonitorInfo monitor) {
            return monitor.getLockedStackFrame().getClassName().startsWith(OURS)
                    || monitor.getClassName().startsWith(OURS);
        }
    }
}
