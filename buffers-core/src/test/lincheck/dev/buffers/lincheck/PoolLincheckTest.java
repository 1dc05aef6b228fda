// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.lincheck;

import dev.buffers.PoolExhaustedException;
import dev.buffers.PoolStats;
import dev.buffers.PooledBuffer;
import dev.buffers.ReleaseOutcome;
import dev.buffers.internal.memory.RegionAllocator;
import dev.buffers.internal.pool.SlabPool;
import dev.buffers.internal.signals.Callbacks;
import dev.buffers.internal.signals.PlacedSettings;
import dev.buffers.support.Peek;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jspecify.annotations.Nullable;

/**
 * The whole pool at its cap, two slots: acquire and tryAcquire, release by the holder and by others, retain, discard, trim, stats and
 * close. Each lease stamps its memory and finds its stamp when it ends.
 *
 * <p>The specification counts. An acquire succeeds only below the cap, discarded memory included; it is refused at the cap, and otherwise
 * only while another thread's operation is under way, which may hold a free slot that no other thread can find. Figures of {@code stats()}
 * are exact when it is alone, and within the cap always. Which slot an acquire gets is left open: the stamps tell that no other lease has
 * it.
 *
 * <p>Magazines hold nothing here (a cap of two slots grants none).
 */
@Param(name = "thread", gen = ThreadIdGen.class)
public final class PoolLincheckTest extends LincheckContract {
    private static final int SLOTS = 2;
    private static final PlacedSettings SETTINGS = TinyPool.settings(SLOTS);

    private static final Logger LOG = Logger.getLogger("dev.buffers");

    static {
        LOG.setLevel(Level.OFF); // a pool that closes logs its open leases
        Callbacks.warn("ready", null); // makes the logger, under locks that Lincheck takes for a hang
    }

    private record Held(PooledBuffer lease, int stamp) {}

    private final SlabPool pool = TinyPool.open(SETTINGS);
    private final PooledBuffer shared = pool.acquire(TinyPool.SIZE);
    private final List<Deque<Held>> own =
            Stream.generate(() -> (Deque<Held>) new ArrayDeque<Held>()).limit(5).toList();

    /** How many leases each thread has stamped. */
    private final int[] stamped = new int[5];

    /** All memory there ever was: held, so that the collector takes none of it before the test has ended. */
    private final ConcurrentLinkedQueue<byte[]> memory = new ConcurrentLinkedQueue<>();

    public PoolLincheckTest() {
        memory.add(shared.buffer().array());
    }

    @Override
    Class<?> specification() {
        return Specification.class;
    }

    @Operation
    public String tryAcquire(@Param(name = "thread") int thread) {
        try {
            PooledBuffer lease = pool.tryAcquire(TinyPool.SIZE);
            return lease == null ? "nothing" : stamped(lease, thread);
        } catch (IllegalStateException e) {
            return "closed";
        }
    }

    @Operation
    public String acquire(@Param(name = "thread") int thread) {
        try {
            return stamped(pool.acquire(TinyPool.SIZE), thread);
        } catch (PoolExhaustedException e) {
            return "nothing";
        } catch (IllegalStateException e) {
            return "closed";
        }
    }

    private String stamped(PooledBuffer lease, int thread) {
        int stamp = 100 * (thread + 1) + stamped[thread]++;
        memory.add(lease.buffer().array());
        lease.buffer().putInt(0, stamp);
        own.get(thread).push(new Held(lease, stamp));
        return "leased";
    }

    @Operation
    public String retain(@Param(name = "thread") int thread) {
        Held mine = own.get(thread).peek();
        if (mine == null) {
            return "none";
        }
        own.get(thread).push(new Held(mine.lease.retain(), mine.stamp));
        return "kept";
    }

    @Operation
    public String release(@Param(name = "thread") int thread) {
        Held mine = own.get(thread).poll();
        return mine == null ? "none" : mine.lease.buffer().getInt(0) != mine.stamp ? "not mine" : end(mine.lease);
    }

    private static String end(PooledBuffer lease) {
        return lease.release() ? "free" : "held";
    }

    @Operation
    public String discard(@Param(name = "thread") int thread) {
        Held mine = own.get(thread).poll();
        if (mine == null) {
            return "none";
        }
        mine.lease.discard();
        return "discarded";
    }

    /** By any thread: the lease that the pool began with. */
    @Operation
    public String releaseShared() {
        try {
            return end(shared);
        } catch (IllegalStateException e) {
            return "refused";
        }
    }

    @Operation
    public String trim() {
        try {
            return String.valueOf(pool.trim() / TinyPool.SIZE);
        } catch (IllegalStateException e) {
            return "closed";
        }
    }

    @Operation(runOnce = true)
    public void close() {
        pool.close();
    }

    @Operation
    public String stats() {
        PoolStats stats = pool.stats();
        return stats.reservedBytes() + stats.droppedBytes() > stats.maxBytes() ? "beyond the cap" : "" + stats.leases();
    }

    /**
     * Once all leases have ended, every byte is accounted for, and memory that was not discarded can be acquired, or is dropped after
     * close and the tick that follows it.
     */
    @Validate
    public void everyByteIsAccountedFor() {
        shared.close();
        own.forEach(ofThread -> ofThread.forEach(held -> held.lease.release()));
        if (pool.isClosed()) {
            pool.tick(System.nanoTime()); // finds the slot of a release that did not see the close yet
        }
        PoolStats stats = pool.stats();
        long reserved = stats.leasedBytes() + stats.cachedBytes() + stats.uncarvedBytes() + stats.lostBytes();
        RegionAllocator regions = Peek.regions(pool);
        boolean exact = stats.leases() == 0
                && stats.reservedBytes() == reserved
                && stats.reservedBytes() + stats.droppedBytes() == regions.budget.max() - regions.budget.room();
        long discards = stats.releases(ReleaseOutcome.DISCARDED);
        List<PooledBuffer> had = new ArrayList<>();
        boolean closed = false;
        try {
            for (PooledBuffer lease = pool.tryAcquire(TinyPool.SIZE);
                    lease != null;
                    lease = pool.tryAcquire(TinyPool.SIZE)) {
                had.add(lease);
            }
        } catch (IllegalStateException e) {
            closed = true;
        }
        if (!exact || (closed ? stats.reservedBytes() != 0 : had.size() + discards != SLOTS)) {
            throw new IllegalStateException("acquired: " + had + ", closed=" + closed + ", " + stats);
        }
    }

    public static final class Specification implements Relaxed {
        /** How many leases each tenancy has that has not ended; the first is the shared lease's. */
        private final Map<Integer, Integer> holds = new HashMap<>(Map.of(0, 1));

        private final List<Deque<Integer>> own = new ArrayList<>();
        private final Set<Integer> discarded = new HashSet<>();
        private int begun = 1;
        private int gone;
        private boolean sharedEnded;
        private boolean closed;

        public Specification() {
            for (int t = 0; t < 5; t++) {
                own.add(new ArrayDeque<>());
            }
        }

        @Override
        public @Nullable Relaxed after(Step step) {
            Specification next = new Specification();
            next.holds.clear();
            next.holds.putAll(holds);
            next.own.clear();
            own.forEach(ofThread -> next.own.add(new ArrayDeque<>(ofThread)));
            next.discarded.addAll(discarded);
            next.begun = begun;
            next.gone = gone;
            next.sharedEnded = sharedEnded;
            next.closed = closed;
            return next.allows(step.call(), step) ? next : null;
        }

        private boolean allows(Call call, Step step) {
            Deque<Integer> mine = call.arguments().isEmpty() ? new ArrayDeque<>() : own.get(call.argument(0));
            int room = SLOTS - gone - holds.size();
            return switch (call.name()) {
                case "acquire", "tryAcquire" ->
                    step.says("closed")
                            ? closed
                            : step.says("leased")
                                    ? !closed && room > 0 && begin(mine)
                                    : step.says("nothing") && (room == 0 || !step.isAlone());
                case "retain" -> mine.isEmpty() ? step.says("none") : step.says("kept") && retain(mine);
                case "release" -> step.says(mine.isEmpty() ? "none" : end(mine.pop()));
                case "discard" -> step.says(mine.isEmpty() ? "none" : discard(mine.pop()));
                case "releaseShared" -> step.says(sharedEnded ? "refused" : endShared());
                case "trim" ->
                    step.says("closed") ? closed : Long.parseLong(step.result()) <= (step.isAlone() ? room : SLOTS);
                case "close" -> closed = true;
                case "stats" ->
                    step.says(String.valueOf(holds.size()))
                            || !step.isAlone() && List.of("0", "1", "2").contains(step.result());
                default -> throw new AssertionError(call);
            };
        }

        private boolean begin(Deque<Integer> mine) {
            holds.put(begun, 1);
            mine.push(begun++);
            return true;
        }

        private boolean retain(Deque<Integer> mine) {
            holds.merge(mine.element(), 1, Integer::sum);
            mine.push(mine.element());
            return true;
        }

        private String discard(int tenancy) {
            discarded.add(tenancy);
            end(tenancy);
            return "discarded";
        }

        private String endShared() {
            sharedEnded = true;
            return end(0);
        }

        private String end(int tenancy) {
            if (holds.merge(tenancy, -1, Integer::sum) > 0) {
                return "held";
            }
            holds.remove(tenancy);
            gone += discarded.remove(tenancy) ? 1 : 0;
            return "free";
        }
    }
}
