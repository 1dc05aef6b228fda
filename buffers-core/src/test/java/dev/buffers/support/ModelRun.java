// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.LeakReport;
import dev.buffers.PoolExhaustedException;
import dev.buffers.PoolSettings;
import dev.buffers.PoolStats;
import dev.buffers.PooledBuffer;
import dev.buffers.internal.settings.SettingKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * One sequence of operations on one pool, each done to the pool and to the model. Both must agree after each of them, and at the end,
 * when everything is given back, nothing may be left.
 */
final class ModelRun {
    private static final int LOOK_EVERY = 16;

    private final ModelWorld world;
    private final BufferPool pool;
    private final ModelLeases leases;
    private final ModelChannels channels;
    private final SecondThread second;
    private final TrimTime time;
    private final List<AtomicInteger> wakeUps = new ArrayList<>();
    private WaitingThread waiting;
    private int waitingRegister;
    private int waitingSize;

    private ModelRun(ModelWorld world, SecondThread second) {
        this.world = world;
        this.pool = world.pool;
        this.leases = new ModelLeases(world);
        this.channels = new ModelChannels(world, leases);
        this.second = second;
        this.time = new TrimTime(pool);
        world.wakeUps =
                () -> (int) wakeUps.stream().filter(calls -> calls.get() == 0).count();
    }

    /** Runs a sequence, which must not fail. {@code models} makes a model for the size of the largest class. */
    static void run(ModelSequence sequence, Function<PoolSettings, ReferenceModel> models, ThreadFactory threads)
            throws Exception {
        DirectRoom.make();
        SecondThread second = new SecondThread(threads);
        try (BufferPool pool = sequence.combination().open("model")) {
            PoolSettings settings = pool.settings();
            Eventually.collected("earlier pools have left room in the budget that is shared", () -> {
                long charged = pool.stats().reservedBytes() + pool.stats().maxBytes() - Peek.room(pool);
                return !settings.sharesDefaultBudget() || charged < settings.maxBytes() / 2;
            });
            ReferenceModel model = models.apply(settings);
            ModelRun run = new ModelRun(new ModelWorld(sequence.combination(), model, pool), second);
            int done = 0;
            for (ModelOp op : sequence.ops()) {
                try {
                    run.perform(op, ++done % LOOK_EVERY == 0);
                } catch (Throwable e) {
                    throw new AssertionError("operation " + done + ", " + op + ": " + e.getMessage(), e);
                }
            }
            run.finish();
        } finally {
            second.die();
        }
    }

    private void perform(ModelOp op, boolean looks) throws Exception {
        if (op.elsewhere()) {
            second.run(() -> apply(op));
        } else {
            apply(op);
        }
        check();
        if (served()) {
            check();
        }
        if (looks) {
            leases.checkAll();
            channels.checkAll();
        }
    }

    private void check() {
        assertTrue(wakeUps.stream().allMatch(calls -> calls.get() <= 1), "a wake-up was called twice");
        world.check();
    }

    private void apply(ModelOp op) throws Exception {
        switch (op.verb()) {
            case ACQUIRE -> acquire(ModelWorld.How.PLAINLY, op, () -> pool.acquire(op.operand(1)));
            case TRY_ACQUIRE -> acquire(ModelWorld.How.TRYING, op, () -> pool.tryAcquire(op.operand(1)));
            case ACQUIRE_PATIENTLY -> {
                Duration patience = Duration.ofMillis(op.operand(2) % 2);
                acquire(ModelWorld.How.PATIENTLY, op, () -> pool.acquire(op.operand(1), patience));
            }
            case AWAIT -> await(op.operand(0), op.operand(1));
            case RETAIN -> leases.retain(op.operand(0), op.operand(1));
            case SLICE -> leases.slice(op.operand(0), op.operand(1), op.operand(2), op.operand(3));
            case RELEASE -> leases.release(op.operand(0));
            case CLOSE -> leases.close(op.operand(0));
            case DISCARD -> leases.discard(op.operand(0));
            case USE -> leases.use(op.operand(0));
            case WRITE -> leases.write(op.operand(0), op.operand(1), op.operand(2));
            case MOVE -> leases.move(op.operand(0), op.operand(1), op.operand(2));
            case ORDER -> leases.order(op.operand(0), op.operand(1) > 0);
            case INPUT -> channels.input(op.operand(0));
            case ROOM -> channels.room(op.operand(0), op.operand(1));
            case RECEIVE -> channels.receive(op.operand(0), op.operand(1));
            case FAIL -> channels.fail(op.operand(0));
            case CONSUME -> channels.consume(op.operand(0), op.operand(1));
            case HAND_OFF -> channels.handOff(op.operand(0), op.operand(1));
            case HAND_OFF_PART -> channels.handOff(op.operand(0), op.operand(1), op.operand(2));
            case CHANNEL_ACQUIRE -> channels.acquire(op.operand(0), op.operand(1), op.operand(2));
            case IDLE -> channels.idle(op.operand(0));
            case CLOSE_CHANNEL -> channels.close(op.operand(0));
            case NEW_CHANNEL -> channels.renew(op.operand(0));
            case WHEN_AVAILABLE -> whenAvailable(op.operand(0));
            case OPEN_LEASES -> openLeases();
            case TRIM -> trim();
            case TICK -> time.seconds(1 + 4 * op.operand(0));
            case THREAD_DIES -> {
                if (!op.elsewhere()) {
                    second.die();
                }
            }
            case CLOSE_POOL -> closePool();
        }
    }

    private void acquire(ModelWorld.How how, ModelOp op, Supplier<PooledBuffer> call) {
        int register = op.operand(0);
        int size = op.operand(1);
        if (!leases.isFree(register)) {
            return;
        } else if (world.closed) {
            assertThrowsExactly(IllegalStateException.class, call::get);
        } else if (size < 0) {
            assertThrowsExactly(IllegalArgumentException.class, call::get);
        } else {
            PooledBuffer lease = world.attempt(how, size, null, call);
            if (lease != null) {
                leases.acquired(register, lease, size, false);
            }
        }
    }

    private void await(int register, int size) {
        boolean fits = size >= 0 && world.fitsCap(size);
        if (waiting == null && leases.isFree(register) && !world.closed && fits && world.canTellBeyond()) {
            world.waits = true;
            leases.reserve(register);
            waitingRegister = register;
            waitingSize = size;
            WaitingThread started = WaitingThread.start(pool, size, Duration.ofMinutes(2));
            waiting = started;
            Eventually.holds("it is served or waits", () -> started.hasEnded() || started.isParked());
        }
    }

    /** True when a thread that waited has come to its end, so that figures are exact again. */
    private boolean served() throws Exception {
        if (waiting == null || !waiting.hasEnded()) {
            return false;
        }
        PooledBuffer lease = waiting.leaseOrNull();
        if (lease == null) {
            assertTrue(world.closed, "refused though the pool is open");
            waiting.refusal(IllegalStateException.class);
        }
        waiting = null;
        world.waits = false;
        leases.reserve(-1);
        if (lease != null) {
            leases.acquired(waitingRegister, lease, waitingSize, false);
        }
        return true;
    }

    private void whenAvailable(int size) {
        AtomicInteger calls = new AtomicInteger();
        if (world.closed) {
            assertThrowsExactly(IllegalStateException.class, () -> pool.whenAvailable(size, calls::incrementAndGet));
        } else if (size < 0 || !world.fitsCap(size)) {
            Class<? extends RuntimeException> type =
                    size < 0 ? IllegalArgumentException.class : PoolExhaustedException.class;
            assertThrowsExactly(type, () -> pool.whenAvailable(size, calls::incrementAndGet));
        } else {
            String wrong = world.whyNotRefused(ModelWorld.How.PATIENTLY, size, null);
            pool.whenAvailable(size, calls::incrementAndGet);
            assertTrue(calls.get() > 0 || wrong == null, () -> "not called, but " + wrong);
            wakeUps.add(calls);
        }
    }

    private void openLeases() {
        List<LeakReport> open = pool.openLeases();
        if (!world.waits) {
            assertEquals(
                    world.model.capacities(),
                    open.stream().map(LeakReport::capacity).sorted().toList());
            boolean known = List.of("all", "older:1h").contains(world.combination.text(SettingKey.LEAKS));
            assertTrue(
                    !known
                            || open.stream()
                                    .allMatch(report -> report.acquisition().isPresent()),
                    open::toString);
        }
    }

    private void trim() {
        if (world.closed) {
            assertThrowsExactly(IllegalStateException.class, pool::trim);
            return;
        }
        assertTrue(pool.trim() >= 0);
        PoolStats stats = pool.stats();
        if (world.model.leases == 0 && !world.waits && pool.settings().preallocate() == 0) {
            assertEquals(0, stats.reservedBytes(), () -> "kept, though nothing is out: " + stats);
        }
    }

    private void closePool() throws Exception {
        pool.close();
        world.closed = true;
        if (waiting != null) {
            Eventually.holds("who waits hears of the close", waiting::hasEnded);
        }
        assertTrue(allCalled(), "a wake-up was not called by close");
    }

    private boolean allCalled() {
        return wakeUps.stream().allMatch(calls -> calls.get() == 1);
    }

    /** Gives everything back: then waiters are served, wake-ups are called, and the pool holds nothing. */
    private void finish() throws Exception {
        leases.checkAll();
        channels.checkAll();
        leases.releaseAll();
        channels.closeAll();
        if (pool.settings().preallocate() > 0 && !world.closed) {
            closePool(); // preallocated memory stays as it is cut, and may fit no waiter
        }
        for (long deadline = Eventually.deadline(); waiting != null || !allCalled(); System.gc()) {
            assertFalse(
                    Eventually.isPast(deadline),
                    () -> "who waits is not served, or a wake-up not called: " + pool.stats());
            time.seconds(1);
            if (served()) {
                leases.releaseAll(); // for that a wake-up may wait
            }
        }
        check();
        assertEquals(List.of(), world.model.capacities());
        Conservation.check(pool);
        if (!world.closed) {
            trim();
            closePool();
        }
        Eventually.holds("a closed pool keeps no memory", () -> {
            time.seconds(1);
            PoolStats closed = Conservation.check(pool);
            return closed.reservedBytes() == closed.lostBytes() && closed.cachedBytes() == 0;
        });
        assertNull(waiting);
    }

    /** Another thread that does one thing at a time while the first one waits for it; when it has died, the next one takes its place. */
    private static final class SecondThread {
        private final ThreadFactory factory;
        private ExecutorService tasks;
        private Thread thread;

        SecondThread(ThreadFactory factory) {
            this.factory = factory;
        }

        /** Returns when it is done, and fails as it failed. */
        void run(Threads.Action action) throws Exception {
            if (tasks == null) {
                tasks = Executors.newSingleThreadExecutor(work -> {
                    thread = factory.newThread(work);
                    thread.setDaemon(true);
                    return thread;
                });
            }
            Future<?> task = tasks.submit(() -> {
                action.run();
                return null;
            });
            try {
                task.get();
            } catch (ExecutionException e) {
                throw e.getCause() instanceof Error error ? error : new AssertionError(e.getCause());
            }
        }

        /** It is dead when this returns. */
        void die() throws InterruptedException {
            if (tasks != null) {
                tasks.shutdownNow();
                thread.join();
                tasks = null;
            }
        }
    }
}
