package dev.buffers.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.buffers.BufferPool;
import dev.buffers.LeakReport;
import dev.buffers.LeakTracking;
import dev.buffers.PooledBuffer;
import dev.buffers.support.Logged;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** The code of the page on testing does what the page says: on tests that leak on purpose. */
class TestingDocTest {

    // tag::extension
    /** A pool for each test. A test that leaves a lease open fails, and says where it was acquired. */
    static final class CheckedPool implements BeforeEachCallback, AfterEachCallback {
        private BufferPool pool;

        BufferPool pool() {
            return pool;
        }

        @Override
        public void beforeEach(ExtensionContext context) {
            pool = BufferPool.builder("test").leaks(LeakTracking.all()).build();
        }

        @Override
        public void afterEach(ExtensionContext context) {
            try (BufferPool ending = pool) {
                assertNothingIsOut(ending);
            }
        }

        /** For a pool of your own. With leaks=all it says where; lost: dropped, and found by the collector. */
        static void assertNothingIsOut(BufferPool pool) {
            List<LeakReport> open = pool.openLeases();
            long lost = pool.stats().leaks();
            if (!open.isEmpty() || lost > 0) {
                throw new AssertionError("leases left open: " + open.size() + ", lost: " + lost
                        + open.stream().map(lease -> "\n" + lease).collect(Collectors.joining()));
            }
        }
    }
    // end::extension

    // tag::use
    static final class GreetingTest {
        @RegisterExtension
        final CheckedPool checked = new CheckedPool();

        @Test
        void greets() {
            PooledBuffer greeting = checked.pool().acquire(1024);
            greeting.buffer().put("hello".getBytes(StandardCharsets.UTF_8));
            greeting.release(); // without this line the test fails
        }
    }
    // end::use

    static final class LeakingTest {
        @RegisterExtension
        final CheckedPool checked = new CheckedPool();

        @Test
        void forgets() {
            culprit();
        }

        @Test
        void failsAndForgets() {
            culprit();
            throw new IllegalStateException("on purpose");
        }

        private void culprit() {
            checked.pool().acquire(1000);
            checked.pool().acquire(2000).close();
        }
    }

    private static TestExecutionSummary run(Class<?> test) {
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(test))
                .build();
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherFactory.create().execute(request, listener);
        return listener.getSummary();
    }

    @Test
    void aTestThatGivesEverythingBackPasses() {
        TestExecutionSummary summary = run(GreetingTest.class);
        assertEquals(1, summary.getTestsSucceededCount());
        assertEquals(List.of(), summary.getFailures());
    }

    @Test
    @SuppressWarnings("try") // the log is kept from the console, and that is all
    void aTestThatLeaksFailsAndNamesTheCulprit() {
        try (Logged log = new Logged("test")) {
            TestExecutionSummary summary = run(LeakingTest.class);
            assertEquals(2, summary.getTestsFailedCount());
            for (TestExecutionSummary.Failure failure : summary.getFailures()) {
                boolean alone = failure.getTestIdentifier().getDisplayName().equals("forgets()");
                Throwable thrown = failure.getException();
                assertEquals(alone ? AssertionError.class : IllegalStateException.class, thrown.getClass());
                String message = (alone ? thrown : thrown.getSuppressed()[0]).getMessage();
                assertTrue(message.startsWith("leases left open: 1, lost: 0\npool=test"), message);
                assertTrue(message.contains("size=1000"), message);
                assertFalse(message.contains("size=2000"), message);
                String culprit = "\tat " + LeakingTest.class.getName() + ".culprit(TestingDocTest.java:";
                assertTrue(message.contains(culprit), message);
                assertTrue(message.contains(alone ? ".forgets(" : ".failsAndForgets("), message);
            }
        }
    }
}
