// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.AcquireOutcome;
import dev.buffers.BufferPool;
import dev.buffers.Exhaustion;
import dev.buffers.LeakTracking;
import dev.buffers.PoolExhaustedException;
import dev.buffers.PoolSettings;
import dev.buffers.PoolStats;
import dev.buffers.PooledBuffer;
import dev.buffers.ReleaseOutcome;
import dev.buffers.internal.memory.ArenaMemory;
import dev.buffers.internal.slab.SizeClasses;
import dev.buffers.support.FuzzedMemory.View;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.InvalidMarkException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Any bytes, read as settings and operations on one pool, each operation checked against plain arrays: every open lease reads the bytes
 * that were written through it and through the other leases of its memory, every misuse is refused and changes nothing, and the figures are
 * exact after each.
 */
public final class FuzzedPool {
    private static final int MOST_OPERATIONS = 400;
    private static final int MOST_LEASES = 48;
    private static final int MAX = 1 << 20;
    private static final int[] AROUND_CLASSES = {
        0, 1, 127, 128, 129, 1000, 1024, 1025, 4096, 8191, 8192, 8193, 16_384, 16_896, 16_897, 32_768, 32_769, 100_000
    };
    private static final List<Kind> KINDS = Kind.all().toList();

    private final FuzzBytes in;
    private final Kind kind;
    private final boolean cleanAtFirst;
    private final boolean guard;
    private final BufferPool pool;
    private final List<View> views = new ArrayList<>();
    private final List<View> ended = new ArrayList<>();
    private FuzzedChannel channel;
    private boolean closed;
    private long refused;
    private long invalid;
    private long discarded;
    private int stamp;

    public static void run(byte[] input) throws Exception {
        DirectRoom.make();
        FuzzedPool fuzzed = new FuzzedPool(new FuzzBytes(input));
        try {
            for (int i = 0; i < MOST_OPERATIONS && fuzzed.in.hasMore(); i++) {
                fuzzed.step();
                fuzzed.check();
            }
            fuzzed.end();
        } finally {
            fuzzed.pool.close();
        }
    }

    private FuzzedPool(FuzzBytes in) {
        this.in = in;
        this.kind = KINDS.get(in.below(KINDS.size()));
        PoolSettings.Zeroing zero = PoolSettings.Zeroing.values()[in.below(3)];
        this.guard = in.below(4) == 0;
        boolean onRelease =
                zero == PoolSettings.Zeroing.RELEASE && !guard && !kind.policy().equals(Kind.OWN);
        this.cleanAtFirst = zero == PoolSettings.Zeroing.ACQUIRE || onRelease;
        BufferPool.Builder builder = kind.builder("fuzzed")
                .max(MAX)
                .regionSize(in.of(32 << 10, 64 << 10, 256 << 10))
                .maxSize(32 << 10)
                .threadCache(in.of(0, 8 << 10, 1 << 20))
                .zero(zero)
                .guard(guard)
                .atLimit(in.flag() ? Exhaustion.unpooled() : Exhaustion.fail())
                .leaks(in.flag() ? LeakTracking.all() : LeakTracking.count());
        if (in.flag() && ArenaMemory.available() && kind.isDirect()) {
            builder.free(PoolSettings.Freeing.PROMPT);
        }
        this.pool = builder.build();
        this.channel = openChannel();
    }

    private FuzzedChannel openChannel() {
        return new FuzzedChannel(
                pool.channel(),
                SizeClasses.of(pool.settings()).maxSize(),
                pool.settings().maxInput());
    }

    private void step() throws Exception {
        switch (in.below(20)) {
            case 0, 1, 2 -> acquire();
            case 3 -> write();
            case 4 -> soil();
            case 5 -> retain();
            case 6 -> slice();
            case 7, 8 -> end(this::release);
            case 9 -> end(this::close);
            case 10 -> end(this::discard);
            case 11 -> endAgain();
            case 12 -> heeding(() -> channel.fill(in.flag() ? size() : 0, in.below(5000)));
            case 13 -> heeding(() -> channel.consume(in.below(5000)));
            case 14 -> heeding(() -> channel.read(1 + in.below(9000)));
            case 15 -> handOff();
            case 16 -> channel.idle();
            case 17 -> replaceChannel();
            case 18 -> trim();
            default -> elsewhereOrClose();
        }
    }

    private int size() {
        return switch (in.below(4)) {
            case 0 -> in.below(256);
            case 1 -> in.below(40_000);
            default -> in.of(AROUND_CLASSES);
        };
    }

    private void acquire() {
        if (views.size() >= MOST_LEASES) {
            return;
        }
        int size = size();
        PooledBuffer[] lease = new PooledBuffer[1];
        switch (in.below(4)) {
            case 0 ->
                heeding(() -> {
                    lease[0] = pool.tryAcquire(size);
                    refused += lease[0] == null ? 1 : 0;
                });
            case 1 -> heeding(() -> lease[0] = pool.acquire(size, Duration.ZERO));
            case 2 -> heeding(() -> lease[0] = channel.acquire(size));
            default -> heeding(() -> lease[0] = pool.acquire(size));
        }
        if (lease[0] != null) {
            ByteBuffer buffer = lease[0].buffer();
            assertEquals(0, buffer.position());
            assertEquals(size, buffer.limit());
            assertEquals(ByteOrder.BIG_ENDIAN, buffer.order());
            assertThrows(InvalidMarkException.class, buffer::reset);
            if (cleanAtFirst) {
                assertZeros(buffer);
            }
            hold(lease[0]);
        } else {
            PoolStats stats = pool.stats();
            long out = stats.leasedBytes() + stats.lostBytes() + stats.droppedBytes();
            assertTrue(closed || size > MAX / 2 || out > 0, () -> "refused, though nothing is out: " + stats);
        }
    }

    private void hold(PooledBuffer lease) {
        FuzzedMemory memory = new FuzzedMemory(lease.buffer(), stamp += 7);
        views.add(memory.new View(lease, true, 0, lease.capacity()));
    }

    private static void assertZeros(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.capacity()];
        buffer.duplicate().clear().get(bytes);
        for (byte b : bytes) {
            assertEquals(0, b, "somebody's byte");
        }
    }

    /** An operation of the pool, which may refuse it at the cap, and does when it is closed. */
    private void heeding(Runnable operation) {
        try {
            operation.run();
        } catch (PoolExhaustedException e) {
            refused++;
            assertFalse(closed, "refused by a closed pool as if it were full");
        } catch (IllegalStateException e) {
            assertTrue(closed && e.getMessage().contains("closed"), e.toString());
        }
    }

    private View any(List<View> of) {
        return of.isEmpty() ? null : of.get(in.below(of.size()));
    }

    private void write() {
        View view = any(views);
        if (view != null && view.length() > 0) {
            int from = in.below(view.length());
            view.write(from, Math.min(view.length() - from, in.below(64)), in.next());
        }
    }

    private void soil() {
        View view = any(views);
        if (view != null) {
            ByteBuffer buffer = view.lease.buffer();
            buffer.clear().position(in.below(1 + view.length())).mark().order(ByteOrder.LITTLE_ENDIAN);
            buffer.limit(buffer.position() + in.below(1 + buffer.remaining()));
        }
    }

    private void retain() {
        View view = any(views);
        if (view != null && views.size() < MOST_LEASES) {
            ByteBuffer buffer = view.lease.buffer();
            PooledBuffer further = view.lease.retain();
            assertEquals(buffer.position(), further.buffer().position());
            assertEquals(buffer.limit(), further.buffer().limit());
            assertThrows(InvalidMarkException.class, further.buffer()::reset);
            further(view.again(further, 0, view.length()));
        }
    }

    private void slice() {
        View view = any(views);
        if (view != null && views.size() < MOST_LEASES) {
            int from = in.below(1 + view.length());
            int length = in.below(1 + view.length());
            if (from + length > view.length()) {
                assertThrows(IndexOutOfBoundsException.class, () -> view.lease.slice(from, length));
                return;
            }
            PooledBuffer part = view.lease.slice(from, length);
            assertEquals(0, part.buffer().position());
            assertEquals(length, part.buffer().limit());
            assertThrows(IllegalArgumentException.class, () -> part.buffer().limit(length + 1));
            further(view.again(part, from, length));
        }
    }

    private void further(View view) {
        assertEquals(ByteOrder.BIG_ENDIAN, view.lease.buffer().order());
        view.check();
        views.add(view);
    }

    private interface End {
        void of(View view) throws Exception;
    }

    private void end(End how) throws Exception {
        View view = any(views);
        if (view != null) {
            view.check();
            views.remove(view);
            how.of(view);
            assertFalse(view.lease.isOpen());
            ended.add(view);
        }
    }

    private void release(View view) {
        assertEquals(ended(view, false), view.lease.release());
    }

    private void close(View view) {
        ended(view, false);
        view.lease.close();
    }

    private void discard(View view) {
        ended(view, true);
        view.lease.discard();
    }

    private void releaseElsewhere(View view) throws Exception {
        assertEquals(ended(view, false), Threads.call(view.lease::release));
    }

    private boolean ended(View view, boolean discards) {
        boolean last = view.end(discards);
        discarded += last && view.memory().isDiscarded() ? 1 : 0;
        return last;
    }

    /** A forbidden action: it is refused, and changes no other lease. */
    private void endAgain() {
        View view = any(ended);
        if (view != null) {
            PooledBuffer lease = view.lease;
            assertThrows(IllegalStateException.class, in.flag() ? lease::release : lease::discard);
            invalid++;
            assertThrows(IllegalStateException.class, lease::buffer);
            assertThrows(IllegalStateException.class, in.flag() ? lease::retain : () -> lease.slice(0, 0));
            lease.close();
            assertFalse(lease.isOpen());
        }
    }

    private void handOff() {
        heeding(() -> {
            PooledBuffer lease = channel.handOff(in.below(5000));
            if (lease != null) {
                hold(lease);
            }
        });
    }

    private void replaceChannel() {
        channel.close();
        heeding(() -> channel = openChannel());
    }

    private void trim() {
        heeding(() -> {
            assertTrue(pool.trim() >= 0);
            if (leases() == 0 && discarded == 0) {
                assertEquals(0, pool.stats().reservedBytes(), "kept by nobody");
            }
        });
    }

    private void elsewhereOrClose() throws Exception {
        if (in.below(8) != 0) {
            end(this::releaseElsewhere);
        } else {
            pool.close();
            closed = true;
        }
    }

    private long leases() {
        return views.stream().map(View::memory).distinct().count() + (channel.holdsInput() ? 1 : 0);
    }

    private void check() {
        PoolStats stats = Conservation.check(pool, leases());
        long acquired = 0;
        for (AcquireOutcome outcome : AcquireOutcome.values()) {
            acquired += outcome == AcquireOutcome.REJECTED ? 0 : stats.acquires(outcome);
        }
        assertEquals(refused, stats.acquires(AcquireOutcome.REJECTED), () -> "refused: " + stats);
        assertEquals(invalid, stats.releases(ReleaseOutcome.INVALID), () -> "ended twice: " + stats);
        assertEquals(discarded, stats.releases(ReleaseOutcome.DISCARDED), () -> "discarded: " + stats);
        assertEquals(
                acquired,
                stats.releases(ReleaseOutcome.RECYCLED) + discarded + leases(),
                () -> "what was acquired has ended or is out: " + stats);
        assertEquals(0, stats.leaks());
    }

    private void end() throws Exception {
        for (View view : views) {
            view.check();
        }
        while (!views.isEmpty()) {
            end(this::close);
        }
        channel.check();
        channel.close();
        check();
        pool.close();
        Eventually.holds("a closed pool keeps no memory", () -> {
            PoolStats stats = Conservation.check(pool);
            return stats.reservedBytes() == stats.lostBytes() && stats.cachedBytes() == 0;
        });
    }
}
