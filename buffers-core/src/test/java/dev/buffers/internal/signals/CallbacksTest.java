// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.signals;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPolicy;
import dev.buffers.BufferPool;
import dev.buffers.LeakTracking;
import dev.buffers.PoolSettings;
import dev.buffers.PooledBuffer;
import dev.buffers.support.Eventually;
import dev.buffers.support.Jvm;
import dev.buffers.support.Leases;
import dev.buffers.support.Logged;
import dev.buffers.support.Peek;
import dev.buffers.support.Threads;
import dev.buffers.support.WaitingThread;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.logging.LogRecord;
import javax.management.MBeanServerDelegate;
import javax.management.MBeanServerNotification;
import javax.management.NotificationListener;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Blocked user code called by the upkeep (listeners, wake-ups, the log) delays the other callbacks of its pool, and nothing else (I10). */
class CallbacksTest {
    private static final int SIZE = 64 << 10;
    private static final Duration LONG = Duration.ofMinutes(1);

    private final Stop stop = new Stop();

    /** Where a callback stops, until the test has seen what it wanted to see. */
    private static final class Stop {
        private final CountDownLatch reached = new CountDownLatch(1);
        private final CountDownLatch goOn = new CountDownLatch(1);

        void here() {
            reached.countDown();
            Threads.await(goOn);
        }

        boolean isReached() {
            return reached.getCount() == 0;
        }
    }

    @AfterEach
    void goOn() {
        stop.goOn.countDown();
    }

    /** Of one slot, or with {@code max} of more. */
    private static BufferPool.Builder builder(String name) {
        return BufferPool.builder(name).policy("heap-view").max(SIZE);
    }

    /** The lease of a pool with one slot, lost as soon as the array is cleared; then only the tick notices. */
    private static PooledBuffer[] taken(BufferPool pool) {
        PooledBuffer[] lease = new PooledBuffer[1];
        Eventually.collected("the collector has taken what was lost before", () -> {
            lease[0] = pool.tryAcquire(SIZE);
            return lease[0] != null;
        });
        return lease;
    }

    /** That a thread that waits in it is served by the tick, and a wake-up if that may be called. */
    private static void assertLookedAfter(BufferPool pool, boolean wakeUps) throws Exception {
        PooledBuffer[] lease = taken(pool);
        WaitingThread waiting = WaitingThread.parked(pool, SIZE, LONG);
        lease[0] = null;
        Eventually.collected("the tick serves a thread of pool " + pool.name(), waiting::hasEnded);
        waiting.release();
        if (wakeUps) {
            AtomicInteger woken = new AtomicInteger();
            lease = taken(pool);
            pool.whenAvailable(SIZE, woken::incrementAndGet);
            lease[0] = null;
            Eventually.collected("the tick calls a wake-up of pool " + pool.name(), () -> woken.get() == 1);
        }
    }

    @Test
    void blockedListenerDelaysNoUpkeep() throws Exception {
        try (BufferPool stopped =
                        builder("stopped").onLeak(report -> stop.here()).build();
                BufferPool other = builder("other").build()) {
            Leases.lose(stopped, SIZE);
            Eventually.collected("the listener is called", stop::isReached);
            assertLookedAfter(other, true);
            assertLookedAfter(stopped, false);
        }
    }

    /** No report of the same pool is forgotten or out of order. */
    @Test
    void blockedListenerIsNotifiedOfAllLeaksInOrder() throws Exception {
        ConcurrentLinkedQueue<Integer> told = new ConcurrentLinkedQueue<>();
        try (BufferPool pool = builder("ordered")
                .leaks(LeakTracking.all())
                .onLeak(report -> {
                    told.add(report.acquisition().orElseThrow().size());
                    stop.here();
                })
                .build()) {
            for (int size = SIZE; size > SIZE - 4; size--) {
                PooledBuffer[] one = {pool.acquire(size, LONG)};
                WaitingThread next = WaitingThread.parked(pool, size, LONG);
                one[0] = null;
                Eventually.collected("it is found", next::hasEnded);
                next.release();
            }
            Eventually.holds("the first is told", () -> told.size() == 1);
            stop.goOn.countDown();
            Eventually.holds("all are told", () -> told.size() == 4);
            assertEquals(List.of(SIZE, SIZE - 1, SIZE - 2, SIZE - 3), List.copyOf(told));
        }
    }

    @Test
    void blockedWakeUpDelaysCallbacksOfItsPoolOnly() throws Exception {
        ConcurrentLinkedQueue<String> called = new ConcurrentLinkedQueue<>();
        try (BufferPool stopped = builder("stopped").build();
                BufferPool other = builder("other").build()) {
            PooledBuffer[] lease = taken(stopped);
            stopped.whenAvailable(SIZE, () -> {
                called.add("first");
                stop.here();
            });
            stopped.whenAvailable(SIZE, () -> called.add("second"));
            lease[0] = null;
            Eventually.collected("the tick calls the first", stop::isReached);
            assertLookedAfter(other, true);
            Eventually.holds("the tick calls the second", () -> stopped.stats().waiters() == 0);
            assertEquals(List.of("first"), List.copyOf(called));
            stop.goOn.countDown();
            Eventually.holds("the second is called", () -> called.size() == 2);
            assertEquals(List.of("first", "second"), List.copyOf(called));
        }
    }

    @Tag("full")
    @Test
    void blockedLogHandlerDelaysNoUpkeep() throws Exception {
        try (Logged log = new Logged("silent", record -> stop.here());
                BufferPool stopped = builder("silent").build();
                BufferPool other = builder("other").build()) {
            assertNotNull(log);
            Leases.lose(stopped, SIZE);
            Eventually.collected("the log is told", stop::isReached);
            assertLookedAfter(other, true);
            assertLookedAfter(stopped, false);
            stop.goOn.countDown();
        }
    }

    @Test
    void throwingLogHandlerDelaysNothing() throws Exception {
        AtomicInteger told = new AtomicInteger();
        AtomicInteger logged = new AtomicInteger();
        Consumer<LogRecord> fails = record -> {
            logged.incrementAndGet();
            throw new AssertionError("from the handler");
        };
        try (Logged log = new Logged("loud", fails);
                BufferPool pool = builder("loud")
                        .collect(PoolSettings.Collecting.OFF) // which would be logged too
                        .onLeak(report -> {
                            told.incrementAndGet();
                            throw new AssertionError("from the listener");
                        })
                        .build()) {
            assertNotNull(log);
            Leases.lose(pool, SIZE);
            Eventually.collected("the listener is told", () -> told.get() == 1);
            assertLookedAfter(pool, true);
            Eventually.collected("the listener is told of those as well", () -> told.get() == 3);
            // Of the first loss and the first failure of the listener, perhaps of a refusal; and nothing again and
            // again.
            assertTrue(logged.get() == 2 || logged.get() == 3, () -> "lines: " + logged.get());
        }
    }

    @Test
    void errorOfLogHandlerDoesNotReachRelease() {
        AtomicInteger logged = new AtomicInteger();
        Consumer<LogRecord> fails = record -> {
            logged.incrementAndGet();
            throw new AssertionError("from the handler");
        };
        try (Logged log = new Logged("guarded", fails);
                BufferPool pool = builder("guarded").guard(true).build()) {
            assertNotNull(log);
            PooledBuffer lease = pool.acquire(100);
            lease.release();
            assertThrows(IllegalStateException.class, lease::release);
            assertEquals(1, logged.get());
        }
    }

    @Tag("full")
    @Test
    void blockedUnregistrationOfBeanDelaysNoUpkeep() throws Exception {
        NotificationListener listener = (notification, handback) -> {
            if (notification.getType().equals(MBeanServerNotification.UNREGISTRATION_NOTIFICATION)
                    && ((MBeanServerNotification) notification)
                            .getMBeanName()
                            .toString()
                            .contains("name=gone")) {
                stop.here();
            }
        };
        ObjectName server = MBeanServerDelegate.DELEGATE_NAME;
        ManagementFactory.getPlatformMBeanServer().addNotificationListener(server, listener, null, null);
        try (BufferPool other = builder("other").build()) {
            forget(builder("gone").jmx(true));
            Eventually.collected("its beans go", stop::isReached);
            assertLookedAfter(other, true);
        } finally {
            stop.goOn.countDown();
            ManagementFactory.getPlatformMBeanServer().removeNotificationListener(server, listener);
        }
    }

    private static void forget(BufferPool.Builder builder) {
        builder.build().acquire(100).release();
    }

    /** The policy is asked for its name once, when the pool is made, and never under a lock. */
    @Tag("full")
    @Test
    void policyThatBlocksInItsNameDelaysNothing() throws Exception {
        AtomicReference<Stop> at = new AtomicReference<>();
        BufferPolicy policy = new BufferPolicy() {
            @Override
            public String name() {
                Stop here = at.get();
                if (here != null) {
                    here.here();
                }
                return "named";
            }

            @Override
            public boolean direct() {
                return false;
            }

            @Override
            public boolean views() {
                return true;
            }

            @Override
            public ByteBuffer allocate(int bytes) {
                return ByteBuffer.allocate(bytes);
            }
        };
        try (BufferPool pool = builder("named")
                        .policy(policy)
                        .trimAfter(Duration.ofMillis(1))
                        .build();
                BufferPool other = builder("other").build()) {
            pool.acquire(SIZE).release();
            at.set(stop);
            Eventually.collected("it is trimmed", () -> pool.stats().trimmedBytes() > 0 || stop.isReached());
            assertLookedAfter(other, true);
            assertFalse(stop.isReached());
        }
    }

    @Test
    void poolWithBlockedListenerCanBeClosed() throws Exception {
        AtomicInteger told = new AtomicInteger();
        BufferPool pool = builder("stopped")
                .onLeak(report -> {
                    told.incrementAndGet();
                    stop.here();
                })
                .build();
        Leases.lose(pool, SIZE);
        Eventually.collected("the listener is called", stop::isReached);
        PooledBuffer[] lease = taken(pool);
        pool.close();
        try (BufferPool again = builder("stopped").build()) {
            assertEquals("stopped", again.name());
            assertLookedAfter(again, true);
        }
        lease[0] = null; // and the tick alone hears of it, though the pool is closed
        Eventually.collected("its last slab is gone", () -> Peek.slabs(pool).isEmpty());
        assertEquals(1, told.get());
        stop.goOn.countDown();
        Eventually.holds("what was lost after its end is told", () -> told.get() == 2);
    }

    /** In a separate JVM: how the threads come and go. */
    static final class ComeAndGo {
        public static void main(String[] args) throws Exception {
            Stop stop = new Stop();
            AtomicReference<Thread> by = new AtomicReference<>();
            BufferPool pool = builder("one")
                    .onLeak(report -> {
                        by.set(Thread.currentThread());
                        stop.here();
                    })
                    .build();
            System.out.println(threads());
            Leases.lose(pool, SIZE);
            Eventually.collected("the listener is called", stop::isReached);
            Thread thread = by.get();
            System.out.println(threads() + " " + thread.isDaemon() + " " + thread.getContextClassLoader() + " "
                    + thread.getThreadGroup().getName());
            pool.close();
            Eventually.collected(
                    "the daemon ends before the listener", () -> threads().size() == 1);
            System.out.println(threads());
            stop.goOn.countDown();
            Eventually.holds("its thread ends", () -> threads().isEmpty());
            System.out.println("none");
        }

        private static List<String> threads() {
            return Thread.getAllStackTraces().keySet().stream()
                    .map(Thread::getName)
                    .filter(name -> name.startsWith("buffers-"))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void threadStartsWithFirstCallbackAndEndsAfterLast() throws Exception {
        assertEquals(
                "[buffers-maintenance]\n"
                        + "[buffers-callbacks-one, buffers-maintenance] true null system\n"
                        + "[buffers-callbacks-one]\n"
                        + "none\n",
                Jvm.run(ComeAndGo.class).replaceAll("(?s)^.*?(?=\\[)", "").replaceAll("(?m)^(?!\\[|none).*\n", ""));
    }
}
