// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.PoolExhaustedException;
import dev.buffers.PooledBuffer;
import dev.buffers.ReleaseOutcome;
import dev.buffers.support.Kind;
import dev.buffers.support.Leases;
import dev.buffers.support.PoolKind;
import dev.buffers.support.channels.Failures;
import dev.buffers.support.channels.PlannedAsync;
import java.io.IOException;
import java.nio.channels.AsynchronousByteChannel;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.InterruptedByTimeoutException;
import java.nio.channels.ReadPendingException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Asynchronous transfers between ends that complete at once, late, elsewhere, in part, or not as they should. */
class AsyncTransferTest {
    private static final int SEEDS = 150;

    private final byte[] content = new byte[10_000];
    private final Queue<Runnable> later = new ConcurrentLinkedQueue<>();
    private final BufferPool pool = PoolKind.of("direct-view").builder().build();
    private final Transfers transfers = new Transfers(pool, 1000);
    private PlannedAsync in = source(Runnable::run);
    private PlannedAsync out = sink(Runnable::run);

    AsyncTransferTest() {
        new Random(5).nextBytes(content);
    }

    @AfterEach
    void nothingIsOut() {
        PoolKind.assertNothingOut(pool);
        pool.close();
    }

    private PlannedAsync source(Executor executor) {
        return new PlannedAsync(content, new Random(1), executor);
    }

    private static PlannedAsync sink(Executor executor) {
        return new PlannedAsync(new byte[0], new Random(2), executor);
    }

    private void runLater() {
        for (Runnable next = later.poll(); next != null; next = later.poll()) {
            next.run();
        }
    }

    /** One of the ends, which from that byte on behaves so. */
    private PlannedAsync end(boolean reading, int failAt, PlannedAsync.Outcome outcome, Throwable failure) {
        PlannedAsync end = reading ? in : out;
        end.failAt = failAt;
        end.outcome = outcome;
        end.failure = failure;
        return end;
    }

    private long discarded() {
        return pool.stats().releases(ReleaseOutcome.DISCARDED);
    }

    private static Throwable failureOf(CompletableFuture<Long> future) {
        assertTrue(future.isDone());
        return Failures.of(future);
    }

    @ParameterizedTest
    @MethodSource("dev.buffers.support.PoolKind#chosen")
    void nothingIsLostOrMovedTwice(PoolKind kind) throws Exception {
        ExecutorService elsewhere = Executors.newSingleThreadExecutor();
        try (BufferPool its = kind.builder().build()) {
            for (long seed = 0; seed < SEEDS; seed++) {
                try {
                    random(its, new Random(seed), elsewhere);
                    PoolKind.assertNothingOut(its);
                } catch (Throwable e) {
                    throw new AssertionError("seed=" + seed + ", kind=" + kind, e);
                }
            }
        } finally {
            elsewhere.shutdownNow();
        }
    }

    private void random(BufferPool its, Random random, ExecutorService elsewhere) throws Exception {
        Transfers any = new Transfers(its, 1 + random.nextInt(2000));
        byte[] bytes = Arrays.copyOf(content, random.nextInt(content.length));
        in = new PlannedAsync(bytes, new Random(random.nextLong()), executor(random, elsewhere));
        out = new PlannedAsync(new byte[0], new Random(random.nextLong()), executor(random, elsewhere));
        int max = random.nextBoolean() ? Integer.MAX_VALUE : random.nextInt(bytes.length + 10);
        long done = 0;
        for (PlannedAsync end : List.of(in, out)) {
            end.most = 1 + random.nextInt(3000);
            end.outcome = PlannedAsync.Outcome.values()[1 + random.nextInt(2)];
            end.failAt = random.nextInt(3) == 0 ? random.nextInt(bytes.length + 1) : Integer.MAX_VALUE;
            end.failure = random.nextInt(3) == 0 ? new AsynchronousCloseException() : new IOException("planned");
        }
        for (; ; ) {
            CompletableFuture<Long> future = any.transferAsync(in, out, max - done);
            runLaterUntil(future);
            try {
                done += future.get();
                break;
            } catch (ExecutionException e) {
                assertTrue(e.getCause() == in.failure || e.getCause() == out.failure);
                PartialTransferException partial = PartialTransferException.of(e);
                done += partial.transferred() + partial.unwritten().length;
                assertEquals(out.taken.size() + partial.unwritten().length, done);
                out.taken.write(partial.unwritten());
                assertEquals(in.given, done);
            }
        }
        assertEquals(Math.min(max, bytes.length), done);
        assertArrayEquals(Arrays.copyOf(bytes, (int) done), out.taken.toByteArray());
    }

    private Executor executor(Random random, ExecutorService elsewhere) {
        return switch (random.nextInt(4)) {
            case 0 -> Runnable::run;
            case 1 -> later::add;
            case 2 -> elsewhere;
            default -> task -> (random.nextBoolean() ? (Executor) Runnable::run : elsewhere).execute(task);
        };
    }

    private void runLaterUntil(CompletableFuture<Long> future) {
        while (!future.isDone()) {
            Runnable next = later.poll();
            if (next != null) {
                next.run();
            } else {
                Thread.yield();
            }
        }
    }

    @Test
    void operationsThatCompleteAtOnceDoNotGrowTheStack() throws Exception {
        byte[] large = new byte[100_000];
        new Random(8).nextBytes(large);
        in = new PlannedAsync(large, new Random(1), Runnable::run);
        in.most = 1;
        FutureTask<Long> moved =
                new FutureTask<>(() -> transfers.transferAsync(in, out).getNow(-1L));
        new Thread(null, moved, "small stack", 200_000).start();
        assertEquals(100_000, moved.get());
        assertEquals(100_001, in.operations);
        assertEquals(100_000, out.operations);
        assertArrayEquals(large, out.taken.toByteArray());
    }

    @Test
    void aMaximumOfNothing() {
        assertEquals(0, transfers.transferAsync(in, out, 0).getNow(-1L));
        assertEquals(0, in.operations);
        assertEquals(0, TransfersContractTest.acquires(pool));
        assertEquals(999, transfers.transferAsync(in, out, 999).getNow(-1L));
        assertEquals(999, in.given);
        assertEquals(1, in.operations);
    }

    /** The memory is not used again while the operation may go on. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void afterATimeoutTheLeaseIsDiscarded(boolean reading) {
        PlannedAsync end = reading ? in : out;
        end.failAt = 2500;
        end.failure = new InterruptedByTimeoutException();
        out.most = 700;
        CompletableFuture<Long> future = transfers.transferAsync(in, out);
        assertSame(end.failure, failureOf(future));
        assertEquals(1, discarded());
        PartialTransferException partial = PartialTransferException.of(end.failure);
        // What the operation that timed out moved is not known: it is not counted, and none of it is missing in the
        // rest.
        int from = (int) partial.transferred();
        assertTrue(from <= 2500 && (reading || from < 2500));
        if (!reading) {
            assertArrayEquals(Arrays.copyOfRange(content, from, in.given), partial.unwritten());
        } else {
            assertEquals(0, partial.unwritten().length);
        }
    }

    /** The JDK keeps its hold on the arena of an operation that has failed, which the guard would report. */
    @ParameterizedTest
    @CsvSource({"direct-view, 1", "heap-view, 0"})
    void leaseOfFailedOperationIsDiscardedByGuard(String policy, long discarded) {
        try (BufferPool guarded =
                BufferPool.builder("guarded").policy(policy).guard(true).build()) {
            in.failAt = 2500;
            in.failure = new IOException("reset");
            assertSame(in.failure, failureOf(new Transfers(guarded, 1000).transferAsync(in, out)));
            assertEquals(discarded, guarded.stats().releases(ReleaseOutcome.DISCARDED));
            PoolKind.assertNothingOut(guarded);
        }
    }

    /** Whichever side times the operations out, their end is never reported. */
    @Test
    void timedOutOperationsRetireAtMostShareOfCap() {
        int max = 4 << 20;
        try (BufferPool small =
                BufferPool.builder("small").max(max).regionSize(64 << 10).build()) {
            Transfers any = new Transfers(small, 16 << 10);
            for (int i = 0; i < 1000; i++) {
                in = source(Runnable::run);
                in.failAt = 2500;
                in.failure = new InterruptedByTimeoutException();
                assertSame(in.failure, failureOf(any.transferAsync(in, out)));
            }
            long retired = small.stats().lostBytes() + small.stats().droppedBytes();
            assertTrue(retired > 0 && retired <= max / 8 + (64 << 10), () -> "" + small.stats());
            PoolKind.assertNothingOut(small);
        }
    }

    /** Only an error leaves in doubt whether the operation was started. */
    @ParameterizedTest
    @CsvSource({"true, 0", "true, 1", "false, 0", "false, 1"})
    void anOperationThatIsRefused(boolean reading, long discarded) {
        Throwable refusal = discarded == 0 ? new ReadPendingException() : new StackOverflowError("planned");
        end(reading, 2000, PlannedAsync.Outcome.IS_REFUSED, refusal);
        assertSame(refusal, failureOf(transfers.transferAsync(in, out)));
        assertEquals(discarded, discarded());
        PartialTransferException partial = PartialTransferException.of(refusal);
        assertEquals(out.taken.size(), partial.transferred());
        assertEquals(in.given - out.taken.size(), partial.unwritten().length);
    }

    /** Its handler was called: that counts, and nothing is done twice. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aStartThatThrowsAfterItsHandlerWasCalled(boolean reading) {
        end(reading, 2000, PlannedAsync.Outcome.COMPLETES_AND_THROWS, new IllegalStateException("planned"));
        assertEquals(content.length, transfers.transferAsync(in, out).getNow(-1L));
        assertArrayEquals(content, out.taken.toByteArray());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aChannelThatMovesNothingFails(boolean reading) {
        end(reading, 2000, PlannedAsync.Outcome.COMPLETES, null);
        Throwable e = failureOf(transfers.transferAsync(in, out));
        assertEquals("channel made no progress: " + (reading ? "read=0" : "written=0"), e.getMessage());
        assertEquals(2000, PartialTransferException.of(e).transferred());
    }

    @Test
    void cancellingStopsAfterTheReadInFlight() {
        in = source(later::add);
        CompletableFuture<Long> future = transfers.transferAsync(in, out);
        later.remove().run();
        assertEquals(2, in.operations);
        assertTrue(future.cancel(true));
        assertEquals(1, pool.stats().leases(), "held while the read may write into it");
        assertNotNull(in.inFlight);
        int taken = out.taken.size();
        runLater();
        assertEquals(2, in.operations);
        assertEquals(taken, out.taken.size());
        assertEquals(0, discarded());
    }

    @Test
    void cancellingStopsAfterTheWriteInFlight() {
        out = sink(later::add);
        CompletableFuture<Long> future = transfers.transferAsync(in, out);
        assertTrue(future.cancel(false));
        assertEquals(1, pool.stats().leases());
        runLater();
        assertEquals(1, out.operations);
        assertEquals(1, in.operations);
        assertTrue(future.isCancelled());
    }

    @Test
    void aCancelledTransferThatTimesOutDiscards() {
        in = source(later::add);
        in.failAt = 0;
        in.failure = new InterruptedByTimeoutException();
        CompletableFuture<Long> future = transfers.transferAsync(in, out);
        future.complete(77L);
        runLater();
        assertEquals(77, future.getNow(-1L));
        assertEquals(1, discarded());
    }

    /** Code that sees the end of the future sees the memory given back. */
    @Test
    void theLeaseEndsBeforeTheFuture() {
        in = source(later::add);
        List<Long> seen = new ArrayList<>();
        transfers.transferAsync(in, out).thenRun(() -> seen.add(pool.stats().leases()));
        runLater();
        in = source(later::add);
        in.failAt = 500;
        in.failure = new IOException("planned");
        transfers.transferAsync(in, out).whenComplete((n, e) -> {
            seen.add(pool.stats().leases());
            throw new IllegalStateException("a handler that throws");
        });
        runLater();
        assertEquals(List.of(0L, 0L), seen);
    }

    @Test
    void anotherTransferBegunByTheEndOfOne() {
        byte[] twice = Arrays.copyOf(content, 2 * content.length);
        System.arraycopy(content, 0, twice, content.length, content.length);
        CompletableFuture<Long> both = transfers.transferAsync(in, out).thenCompose(n -> {
            in.given = 0;
            return transfers.transferAsync(in, out);
        });
        assertEquals(content.length, both.getNow(-1L));
        assertArrayEquals(twice, out.taken.toByteArray());
    }

    @Test
    void atTheCapTheFutureFailsAndNothingIsRead() {
        try (BufferPool full = PoolKind.of("direct-view").pool("cap", 64 << 10)) {
            List<PooledBuffer> all = Leases.all(full, 16 << 10);
            CompletableFuture<Long> future = new Transfers(full, 16 << 10).transferAsync(in, out);
            Throwable e = failureOf(future);
            assertInstanceOf(PoolExhaustedException.class, e);
            assertEquals(0, PartialTransferException.of(e).transferred());
            assertEquals(0, in.operations);
            assertEquals(all.size(), full.stats().leases());
            all.forEach(PooledBuffer::release);
        }
        pool.close();
        assertInstanceOf(IllegalStateException.class, failureOf(transfers.transferAsync(in, out)));
    }

    @Test
    void checkedExceptionOfPolicyFailsTheFuture() {
        IOException thrown = new IOException("checked");
        try (BufferPool failing = BufferPool.builder("failing")
                .policy(Kind.own(bytes -> {
                    throw Failures.<RuntimeException>sneak(thrown);
                }))
                .build()) {
            assertSame(thrown, failureOf(new Transfers(failing, 16 << 10).transferAsync(in, out)));
        }
    }

    /** Ending a lease may fail too; the future hears of it. */
    @Test
    void transferCompletesAfterCloseOfPool() {
        in = source(later::add);
        CompletableFuture<Long> future = transfers.transferAsync(in, out);
        pool.close();
        runLater();
        assertEquals(content.length, future.getNow(-1L));
    }

    @Test
    void argumentsAreChecked() {
        AsynchronousFileChannel file = null;
        AsynchronousByteChannel none = null;
        assertThrows(IllegalArgumentException.class, () -> transfers.transferAsync(in, out, -1));
        assertThrows(NullPointerException.class, () -> transfers.transferAsync(none, out));
        assertThrows(NullPointerException.class, () -> transfers.transferAsync(in, none));
        assertThrows(NullPointerException.class, () -> transfers.transferAsync(file, 0, out));
        assertEquals(
                "position must not be negative: position=-3",
                assertThrows(IllegalArgumentException.class, () -> transfers.transferAsync(file, -3, out))
                        .getMessage());
        CompletionException joined = assertThrows(CompletionException.class, () -> {
            in.failAt = 0;
            in.failure = new IOException("planned");
            transfers.transferAsync(in, out).join();
        });
        assertNotNull(PartialTransferException.of(joined));
        assertFalse(joined.getCause() instanceof CompletionException);
    }
}
