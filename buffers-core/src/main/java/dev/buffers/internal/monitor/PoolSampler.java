package dev.buffers.internal.monitor;

import dev.buffers.internal.signals.FlightEvents;
import dev.buffers.internal.signals.PoolState;
import java.lang.ref.WeakReference;

/**
 * What Flight Recorder calls for the periodic event of one pool.
 *
 * <p>Any thread. The recorder holds this until {@link #end}, so this holds the pool weakly.
 */
public final class PoolSampler implements Runnable {
    private final WeakReference<PoolState> pool;

    public PoolSampler(PoolState pool) {
        this.pool = new WeakReference<>(pool);
    }

    /** From now on the recorder calls. */
    public void begin() {
        FlightEvents.sample(this);
    }

    /** The recorder calls no more. */
    public void end() {
        FlightEvents.sampleNoMore(this);
    }

    @Override
    public void run() {
        PoolState present = pool.get();
        if (present != null) {
            FlightEvents.sampled(present.name(), present.settings(), present::stats);
        }
    }
}
