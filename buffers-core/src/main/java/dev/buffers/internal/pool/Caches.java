package dev.buffers.internal.pool;

import dev.buffers.internal.cache.Depots;
import dev.buffers.internal.cache.ThreadCaches;
import dev.buffers.internal.monitor.Guard;
import dev.buffers.internal.slab.SlotConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The pool's own caches of free slots: magazines, depots, and what the guard keeps aside.
 *
 * <p>Any thread. Slots that leave go to the caller's sink; meanwhile no lock is held here, except that of the magazines of dead threads.
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

    /** Empties what this thread can empty: its magazines, dead threads', stripes, depots. {@code runner} runs each part by itself. */
    void drain(SlotConsumer sink, Consumer<Runnable> runner) {
        runner.accept(() -> threads.flushOwn(sink));
        runner.accept(() -> threads.sweep(true, sink));
        depots.each(depot -> runner.accept(() -> depot.drain(sink)));
        if (guard != null) {
            runner.accept(() -> guard.drain(sink));
        }
    }

    /** Called by the tick: takes from the depots what no thread has needed since the last time. */
    void reap(SlotConsumer sink, Consumer<Runnable> runner) {
        depots.each(depot -> runner.accept(() -> depot.reap(sink)));
    }
}
