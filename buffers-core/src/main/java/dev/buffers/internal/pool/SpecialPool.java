package dev.buffers.internal.pool;

import dev.buffers.LeakReport;
import dev.buffers.LeakTracking;
import dev.buffers.PoolSettings;
import dev.buffers.PooledBuffer;
import dev.buffers.internal.cache.Magazine;
import dev.buffers.internal.failsafe.StackProbe;
import dev.buffers.internal.monitor.Guard;
import dev.buffers.internal.monitor.LeakTracker;
import dev.buffers.internal.slab.AcquireTrace;
import dev.buffers.internal.slab.Fill;
import dev.buffers.internal.slab.Lease;
import dev.buffers.internal.slab.Slot;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A pool that does something to each lease it has just made: zeroes its memory, traces it or guards it.
 *
 * <p>Any thread. A class of its own because of rule L1 of {@link SlabPool}.
 */
final class SpecialPool extends SlabPool {
    private final LeakTracker leaks;
    private final boolean zeroes;
    private final boolean traces;

    SpecialPool(PoolSettings settings, @Nullable Consumer<LeakReport> onLeak) {
        super(settings, onLeak);
        this.leaks = leaks();
        this.zeroes = settings.zero() == PoolSettings.Zeroing.ACQUIRE;
        this.traces = guard() == null && leaks.keepsStacks();
    }

    /** Whether these settings need a pool of this class. */
    static boolean isAskedFor(PoolSettings settings) {
        return settings.zero() == PoolSettings.Zeroing.ACQUIRE
                || settings.leaks().kind() != LeakTracking.Kind.COUNT
                || settings.guard();
    }

    @Override
    public PooledBuffer acquire(int size) {
        StackProbe.check(); // for the work on the lease
        return prepare((Lease) super.acquire(size), size);
    }

    @Override
    public PooledBuffer acquire(int size, Duration patience) {
        StackProbe.check();
        return prepare((Lease) super.acquire(size, patience), size);
    }

    @Override
    @Nullable Lease tryAcquire(int size, SlowAcquire.AtCap atCap) {
        StackProbe.check();
        Lease lease = super.tryAcquire(size, atCap);
        return lease == null ? null : prepare(lease, size);
    }

    @Override
    public @Nullable Lease leaseReturned(Slot slot, int size) {
        StackProbe.check();
        Lease lease = super.leaseReturned(slot, size);
        return lease == null ? null : prepare(lease, size);
    }

    @Override
    Lease make(Slot slot, long stamp, ByteBuffer view, @Nullable Magazine home) {
        return recyclesLeases ? slot.recycled().reopen(stamp, view, home) : super.make(slot, stamp, view, home);
    }

    /** Does the work on a lease, in the thread that has just acquired it. If that throws (no heap, no stack, the log), no slot is lost. */
    private Lease prepare(Lease lease, int size) {
        try {
            Slot slot = lease.slot();
            ByteBuffer view = lease.buffer();
            Guard guard = guard();
            if (guard != null) {
                view = guard.lend(slot, lease.stamp(), view);
                lease.lend(view);
            }
            if (zeroes) {
                Fill.ZERO.write(view);
                view.limit(size);
            }
            AcquireTrace trace = traces ? leaks.trace(lease.stamp(), size) : null;
            if (trace != null) {
                slot.trace = trace;
            }
        } catch (RuntimeException | Error e) {
            lease.close();
            throw e;
        }
        return lease;
    }
}
