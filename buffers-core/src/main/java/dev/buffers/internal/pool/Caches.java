package dev.buffers.internal.pool;

import dev.buffers.internal.cache.Depots;
import dev.buffers.internal.cache.ThreadCaches;
import dev.buffers.internal.monitor.Guard;
import dev.buffers.internal.slab.Slot;
import dev.buffers.internal.slab.SlotConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Everywhere that free slots lie outside their slabs: magazines, depots, and what the guard keeps aside.
 *
 * <p>Any thread. Slots that leave go to the sink that the caller gives; no lock of the caches is held meanwhile but that of dead threads'
 * magazines.
 */
public final class Caches {
    final ThreadCaches threads;
    final Depots depots;

    private final @Nullable Guard guard;

    public Caches(ThreadCaches threads, Depots depots, @Nullable Guard guard) {
        this.threads = threads;
        this.depots = depots;
        this.guard = guard;
    }

    /** Empties all that the current thread can empty: its magazines, dead threads', stripes, depots. Each part is a task of its own. */
    void drain(SlotConsumer sink, Consumer<Runnable> runner) {
        runner.accept(() -> threads.flushOwn(sink));
        runner.accept(() -> threads.sweep(true, sink));
        depots.each(depot -> runner.accept(() -> depot.drain(sink)));
        if (guard != null) {
            runner.accept(() -> guard.drain(sink));
        }
    }

    /** By the tick: what dead threads have left. */
    void sweep(SlotConsumer sink) {
        threads.sweep(false, sink);
    }

    /** By the tick: what no thread has needed since the last time. */
    void reap(SlotConsumer sink, Consumer<Runnable> runner) {
        depots.each(depot -> runner.accept(() -> depot.reap(sink)));
    }

    /** By the tick: what an I/O was using as it was released, and is no more. */
    void landed(SlotConsumer sink) {
        if (guard != null) {
            guard.tick(sink);
        }
    }

    /** The slots that other threads' magazines held a moment ago. */
    void peekElsewhere(Consumer<Slot> visit) {
        threads.peekElsewhere(visit);
    }
}
