package dev.buffers.internal.pool;

import dev.buffers.internal.cache.Depot;
import dev.buffers.internal.cache.ThreadCaches;
import dev.buffers.internal.monitor.Guard;
import dev.buffers.internal.slab.SizeClasses;
import dev.buffers.internal.slab.SlotConsumer;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The pool's own caches of free slots: magazines, a depot for each size class, and what the guard keeps aside.
 *
 * <p>Any thread. Slots that leave go to the caller's sink; meanwhile no lock is held here, except that of the magazines of dead threads.
 */
final class Caches {
    final ThreadCaches threads;

    private final SizeClasses classes;
    private final AtomicReferenceArray<Depot> depots;
    private final @Nullable Guard guard;

    Caches(SizeClasses classes, ThreadCaches threads, @Nullable Guard guard) {
        this.classes = classes;
        this.threads = threads;
        this.depots = new AtomicReferenceArray<>(classes.count());
        this.guard = guard;
    }

    /** The depot of a class. It is made when it is first needed; a look-up is one load. */
    Depot depot(int sizeClass) {
        Depot depot = depots.getAcquire(sizeClass);
        if (depot == null) {
            depots.compareAndSet(sizeClass, null, new Depot(classes.sizeOf(sizeClass)));
            depot = Objects.requireNonNull(depots.getAcquire(sizeClass));
        }
        return depot;
    }

    private void eachDepot(Consumer<Depot> visit) {
        for (int c = 0; c < depots.length(); c++) {
            Depot depot = depots.getAcquire(c);
            if (depot != null) {
                visit.accept(depot);
            }
        }
    }

    /** Empties what this thread can empty: its magazines, dead threads', stripes, depots. {@code runner} runs each part by itself. */
    void drain(SlotConsumer sink, Consumer<Runnable> runner) {
        runner.accept(() -> threads.flushOwn(sink));
        runner.accept(() -> threads.sweep(true, sink));
        eachDepot(depot -> runner.accept(() -> depot.drain(sink)));
        if (guard != null) {
            runner.accept(() -> guard.drain(sink));
        }
    }

    /** Called by the tick: takes from the depots what no thread has needed since the last time. */
    void reap(SlotConsumer sink, Consumer<Runnable> runner) {
        eachDepot(depot -> runner.accept(() -> depot.reap(sink)));
    }
}
