// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.buffers.BufferPool;
import dev.buffers.LeakTracking;
import dev.buffers.PooledBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** The extension, and the code of the page on testing, on tests that leak on purpose. */
class CheckedPoolTest {

    private static TestExecutionSummary run(Class<?> test) {
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(test))
                .configurationParameter("junit.jupiter.execution.parallel.enabled", "true")
                .configurationParameter("junit.jupiter.execution.parallel.config.strategy", "fixed")
                .configurationParameter("junit.jupiter.execution.parallel.config.fixed.parallelism", "2")
                .build();
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherFactory.create().execute(request, listener);
        return listener.getSummary();
    }

    private static void assertPasses(int tests, Class<?> test) {
        TestExecutionSummary summary = run(test);
        assertEquals(
                List.of(),
                summary.getFailures().stream()
                        .map(failure -> failure.getException())
                        .toList());
        assertEquals(tests, summary.getTestsSucceededCount());
    }

    private static Throwable failure(Class<?> test) {
        TestExecutionSummary summary = run(test);
        assertEquals(1, summary.getTestsFailedCount());
        return summary.getFailures().get(0).getException();
    }

    // tag::junit-parameter
    @ExtendWith(CheckedPool.class)
    static final class GreetingTest {
        @Test
        void greets(BufferPool pool) {
            PooledBuffer greeting = pool.acquire(1024);
            greeting.buffer().put("hello".getBytes(StandardCharsets.UTF_8));
            greeting.release(); // without this line the test fails
        }
    }
    // end::junit-parameter

    @Test
    void aTestThatGivesEverythingBackPasses() {
        assertPasses(1, GreetingTest.class);
    }

    static final class SmallPoolTest {
        // tag::junit-field
        @RegisterExtension
        final CheckedPool checked = new CheckedPool(() -> BufferPool.builder("small")
                        .max(1 << 20)
                        .leaks(LeakTracking.all())
                        .build())
                .waitingAtMost(Duration.ofSeconds(5)); // for the threads of a server, which release a little later
        // end::junit-field

        @Test
        void hasThePoolOfTheFactory() throws InterruptedException {
            assertEquals("small", checked.pool().settings().name());
            assertSame(checked.pool(), checked.pool());
            PooledBuffer lease = checked.pool().acquire(100);
            Thread late = new Thread(() -> {
                sleep(100);
                lease.release();
            });
            late.start();
        }
    }

    private static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void lateReleasesAreAwaited() {
        assertPasses(1, SmallPoolTest.class);
    }

    static class Leaking {
        @RegisterExtension
        final CheckedPool checked = new CheckedPool();

        PooledBuffer forgotten; // reachable, so the collector does not make a lost lease of it

        void culprit() {
            forgotten = checked.pool().acquire(1000);
            checked.pool().acquire(2000).close();
        }
    }

    static final class ForgettingTest extends Leaking {
        @Test
        void forgets() {
            culprit();
        }
    }

    static final class FailingTest extends Leaking {
        @Test
        void failsAndForgets() {
            culprit();
            throw new IllegalStateException("on purpose");
        }
    }

    private static void assertNamesTheCulprit(Throwable thrown, String test) {
        String message = thrown.getMessage();
        assertEquals(AssertionError.class, thrown.getClass());
        assertTrue(message.startsWith("leases left open: 1, lost: 0\npool=test"), message);
        assertTrue(message.contains("size=1000"), message);
        assertFalse(message.contains("size=2000"), message);
        assertTrue(message.contains("\tat " + Leaking.class.getName() + ".culprit(CheckedPoolTest.java:"), message);
        assertTrue(message.substring(message.lastIndexOf('\n')).contains(test), message); // without JUnit's frames
        for (StackTraceElement frame : thrown.getStackTrace()) {
            assertFalse(frame.getClassName().startsWith("org.junit."), frame::toString);
        }
        assertEquals(CheckedPool.class.getName(), thrown.getStackTrace()[0].getClassName());
    }

    @Test
    void aTestThatLeaksFailsAndNamesTheCulprit() {
        assertNamesTheCulprit(failure(ForgettingTest.class), ".forgets(");
    }

    @Test
    void theFailureOfTheTestItselfComesFirst() {
        Throwable thrown = failure(FailingTest.class);
        assertEquals("on purpose", thrown.getMessage());
        assertEquals(1, thrown.getSuppressed().length);
        assertNamesTheCulprit(thrown.getSuppressed()[0], ".failsAndForgets(");
    }

    static final class LosingTest {
        @RegisterExtension
        final CheckedPool checked = new CheckedPool();

        @Test
        void loses() {
            checked.pool().acquire(1000);
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(300);
            while (checked.pool().stats().leaks() == 0 && System.nanoTime() - deadline < 0) {
                System.gc();
                sleep(1);
            }
        }
    }

    @Test
    void lostLeaseFailsTheTest() {
        assertEquals("leases left open: 0, lost: 1", failure(LosingTest.class).getMessage());
    }

    /** The pools of the tests below, in the order in which they were given out. */
    private static final List<BufferPool> POOLS = Collections.synchronizedList(new ArrayList<>());

    @ExtendWith(CheckedPool.class)
    static final class EachItsOwnTest {
        private BufferPool ofSetUp;

        @BeforeEach
        void setUp(BufferPool pool) {
            ofSetUp = pool;
        }

        @Test
        void one(BufferPool pool) {
            assertSame(ofSetUp, pool);
            POOLS.add(pool);
        }

        @Nested
        final class Inside {
            @Test
            void two(BufferPool pool) {
                assertSame(ofSetUp, pool);
                POOLS.add(pool);
            }
        }
    }

    @Test
    void eachTestHasSeparatePoolThatIsClosedAfterwards() {
        POOLS.clear();
        assertPasses(2, EachItsOwnTest.class);
        assertEquals(2, POOLS.size());
        assertNotSame(POOLS.get(0), POOLS.get(1));
        for (BufferPool pool : POOLS) {
            assertThrows(IllegalStateException.class, () -> pool.acquire(1));
        }
    }

    @Execution(ExecutionMode.CONCURRENT)
    static final class ParallelTest {
        private static final CyclicBarrier BOTH = new CyclicBarrier(2);

        @RegisterExtension
        static final CheckedPool SHARED = new CheckedPool();

        private static void meet(BufferPool pool) throws Exception {
            POOLS.add(pool);
            BOTH.await(300, TimeUnit.SECONDS);
            String message =
                    assertThrows(IllegalStateException.class, SHARED::pool).getMessage();
            assertTrue(message.startsWith("there is not one test that runs with this extension: tests=2;"), message);
            BOTH.await(300, TimeUnit.SECONDS);
        }

        @Test
        void one(BufferPool pool) throws Exception {
            meet(pool);
        }

        @Test
        void two(BufferPool pool) throws Exception {
            meet(pool);
        }
    }

    @Test
    void testsInParallelTakeTheirPoolsAsParameters() {
        POOLS.clear();
        assertPasses(2, ParallelTest.class);
        assertNotSame(POOLS.get(0), POOLS.get(1));
    }

    @ExtendWith(CheckedPool.class)
    static final class TooEarlyTest {
        @BeforeAll
        static void before(BufferPool pool) {
            throw new AssertionError("there is no test yet, but a pool: " + pool);
        }

        @Test
        void never() {}
    }

    @Test
    void noPoolOutsideATest() {
        Throwable thrown = run(TooEarlyTest.class).getFailures().get(0).getException();
        assertTrue(thrown.getMessage().startsWith("No ParameterResolver registered for parameter"), thrown::toString);
        assertTrue(assertThrows(IllegalStateException.class, new CheckedPool()::pool)
                .getMessage()
                .contains("tests=0"));
    }

    static final class OwnPoolTest {
        private final BufferPool own = BufferPool.create("own");
        PooledBuffer forgotten; // reachable, as above

        @Test
        void leaves() {
            forgotten = own.acquire(100);
        }

        // tag::junit-own
        @AfterEach
        void nothingIsOut() {
            CheckedPool.assertNothingIsOut(own, Duration.ofSeconds(1));
            own.close();
        }
        // end::junit-own
    }

    @Test
    void aPoolOfTheCodeUnderTestIsCheckedToo() {
        long start = System.nanoTime();
        assertEquals(
                "leases left open: 1, lost: 0\npool=own, capacity=128",
                failure(OwnPoolTest.class).getMessage());
        assertTrue(System.nanoTime() - start >= 1_000_000_000L, "it waits before it fails");
    }

    @Test
    void patienceIsNotNegative() {
        assertEquals(
                "patience negative: longest=PT-1S; accepted: zero or more",
                assertThrows(
                                IllegalArgumentException.class,
                                () -> new CheckedPool().waitingAtMost(Duration.ofSeconds(-1)))
                        .getMessage());
    }

    @Test
    void patienceMayBeLongest() {
        try (BufferPool pool = BufferPool.create("patient")) {
            CheckedPool.assertNothingIsOut(pool, Duration.ofSeconds(Long.MAX_VALUE));
        }
    }

    @ExtendWith(CheckedPool.class)
    static final class LargeTest {
        @RepeatedTest(5)
        void large(BufferPool pool) {
            assertTrue(pool.settings().sharesDefaultBudget());
            pool.acquire((int) (pool.settings().maxBytes() / 5 * 2)).release();
        }
    }

    @Test
    void closedPoolsLeaveDefaultBudgetToLaterTests() {
        assertPasses(5, LargeTest.class);
    }

    @Test
    void anInterruptEndsTheWaitAndStaysKnown() {
        try (BufferPool pool = BufferPool.create("interrupted");
                PooledBuffer lease = pool.acquire(1)) {
            Thread.currentThread().interrupt();
            assertThrows(AssertionError.class, () -> CheckedPool.assertNothingIsOut(pool, Duration.ofDays(1)));
            assertTrue(Thread.interrupted());
            assertTrue(lease.isOpen());
        }
    }
}
