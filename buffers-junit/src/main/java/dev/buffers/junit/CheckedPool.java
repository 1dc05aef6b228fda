// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.junit;

import dev.buffers.BufferPool;
import dev.buffers.LeakReport;
import dev.buffers.LeakTracking;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * A pool for each test. A test that leaves a lease open fails, and says where it was acquired. When the test fails by itself, JUnit shows
 * that first, and the open leases as a suppressed exception.
 *
 * <p>With {@code @ExtendWith(CheckedPool.class)} a test method, or a {@code @BeforeEach} method, takes the pool as a parameter. With
 * {@code @RegisterExtension} it asks {@link #pool()} for it, and may say {@linkplain #CheckedPool(Supplier) how the pool is made}.
 *
 * <p><b>Threads.</b> Those of JUnit, tests that run in parallel included, but for {@link #pool()}. <b>Cost.</b> A pool, and with the
 * default one a stack for each acquire: some microseconds. A collection each time that the closed pools without {@code max} have dropped a
 * quarter of the budget that they share.
 */
public final class CheckedPool implements BeforeEachCallback, AfterEachCallback, ParameterResolver {
    private static final String POOL = "pool";
    private static final long POLL_MILLIS = 1;

    /** Bytes that closed pools have dropped since the last collection that this class has asked for. */
    private static final AtomicLong DROPPED = new AtomicLong();

    private final Supplier<BufferPool> factory;
    private final Duration patience;

    /** The pools of the tests that are running. Under its own lock. */
    private final List<BufferPool> running = new ArrayList<>();

    /** Pools named {@code test}, with {@code leaks=all} and otherwise the settings of the system properties. No patience. */
    public CheckedPool() {
        this(() -> BufferPool.builder("test").leaks(LeakTracking.all()).build());
    }

    /**
     * Pools of the caller's making. No patience.
     *
     * @param factory makes the pool of one test, which this extension closes; with {@code leaks=all} a failure says where
     */
    public CheckedPool(Supplier<BufferPool> factory) {
        this(factory, Duration.ZERO);
    }

    private CheckedPool(Supplier<BufferPool> factory, Duration patience) {
        this.factory = Objects.requireNonNull(factory, "factory");
        this.patience = checked(patience);
    }

    /**
     * The same with patience: for code whose other threads release a little after the test has seen their answer, as those of a server do.
     *
     * @param longest for how long a test waits for leases that are out before it fails; not negative
     * @return another extension
     * @throws IllegalArgumentException when {@code longest} is negative
     */
    public CheckedPool waitingAtMost(Duration longest) {
        return new CheckedPool(factory, longest);
    }

    /**
     * The pool of the test that is running.
     *
     * @return the same for the whole of a test
     * @throws IllegalStateException when no test is running, or several that share this extension are, in parallel: those must take their
     *     pools as parameters
     */
    public BufferPool pool() {
        synchronized (running) {
            if (running.size() != 1) {
                throw new IllegalStateException(
                        "there is not one test that runs with this extension: tests=" + running.size()
                                + "; tests that share it and run in parallel take a BufferPool as a parameter");
            }
            return running.get(0);
        }
    }

    /**
     * Fails when a lease of that pool is open, or was lost. For pools that the code under test makes itself, in an {@code @AfterEach}
     * method.
     *
     * @param pool which must have no lease; open or closed
     * @throws AssertionError when it has any: the message has the number of leases, and a report on each
     */
    public static void assertNothingIsOut(BufferPool pool) {
        assertNothingIsOut(pool, Duration.ZERO);
    }

    /**
     * The same, for code whose other threads may still be about to release.
     *
     * @param pool which must have no lease; open or closed
     * @param longest for how long to wait until it has none; not negative
     * @throws AssertionError when it still has one then, or the waiting thread is interrupted while it has one
     * @throws IllegalArgumentException when {@code longest} is negative
     */
    public static void assertNothingIsOut(BufferPool pool, Duration longest) {
        long patience = TimeUnit.NANOSECONDS.convert(checked(longest));
        long start = System.nanoTime();
        List<LeakReport> open = pool.openLeases();
        while (!open.isEmpty() && !Thread.currentThread().isInterrupted() && System.nanoTime() - start < patience) {
            try {
                Thread.sleep(POLL_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            open = pool.openLeases();
        }
        long lost = pool.stats().leaks();
        if (!open.isEmpty() || lost > 0) {
            AssertionError failure = new AssertionError("leases left open: " + open.size() + ", lost: " + lost
                    + open.stream().map(lease -> "\n" + withoutRunner(lease)).collect(Collectors.joining()));
            failure.setStackTrace(
                    withoutRunner(List.of(failure.getStackTrace())).toArray(StackTraceElement[]::new));
            throw failure;
        }
    }

    /** The report without the frames by which JUnit has called the test. */
    private static LeakReport withoutRunner(LeakReport lease) {
        return new LeakReport(
                lease.pool(),
                lease.capacity(),
                lease.lost(),
                lease.acquisition()
                        .map(at -> new LeakReport.Acquisition(
                                at.size(), at.age(), at.thread(), withoutRunner(at.stack()), at.touches())));
    }

    private static List<StackTraceElement> withoutRunner(List<StackTraceElement> stack) {
        int end = 0;
        while (end < stack.size() && !stack.get(end).getClassName().startsWith("org.junit.")) {
            end++;
        }
        while (end > 0 && end < stack.size() && isReflection(stack.get(end - 1))) {
            end--;
        }
        return stack.subList(0, end);
    }

    private static boolean isReflection(StackTraceElement frame) {
        return frame.getClassName().startsWith("java.lang.reflect.")
                || frame.getClassName().startsWith("jdk.internal.reflect.");
    }

    private static Duration checked(Duration longest) {
        if (longest.isNegative()) {
            throw new IllegalArgumentException("patience negative: longest=" + longest + "; accepted: zero or more");
        }
        return longest;
    }

    /** Makes the pool of the test that begins. */
    @Override
    public void beforeEach(ExtensionContext context) {
        BufferPool pool = Objects.requireNonNull(factory.get(), "factory gave null");
        store(context).put(POOL, pool);
        synchronized (running) {
            running.add(pool);
        }
    }

    /** Closes the pool of the test that ends, and fails the test if a lease is out. */
    @Override
    public void afterEach(ExtensionContext context) {
        BufferPool pool = store(context).remove(POOL, BufferPool.class);
        if (pool != null) { // null when the factory has thrown
            synchronized (running) {
                running.remove(pool);
            }
            try (pool) {
                assertNothingIsOut(pool, patience);
            } finally {
                collectDropped(pool);
            }
        }
    }

    /** Asks for a collection before later tests lack what closed pools have dropped: without {@code max} all share one budget. */
    private static void collectDropped(BufferPool closed) {
        long dropped = closed.stats().droppedBytes();
        if (dropped > 0
                && closed.settings().sharesDefaultBudget()
                && DROPPED.addAndGet(dropped) > closed.settings().maxBytes() / 4) {
            DROPPED.set(0);
            System.gc();
        }
    }

    /** Whether it is a {@link BufferPool} of a method that belongs to one test. */
    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == BufferPool.class
                && store(context).get(POOL) != null;
    }

    /** The pool of that test. */
    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return Objects.requireNonNull(store(context).get(POOL));
    }

    private ExtensionContext.Store store(ExtensionContext context) {
        return context.getStore(ExtensionContext.Namespace.create(this));
    }
}
