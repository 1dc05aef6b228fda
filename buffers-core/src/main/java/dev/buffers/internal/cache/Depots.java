package dev.buffers.internal.cache;

import dev.buffers.internal.slab.SizeClasses;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;

/**
 * The depots of a pool, one per size class; each is made when it is first needed.
 *
 * <p>Any thread; a look-up is one load.
 */
public final class Depots {
    private final SizeClasses classes;
    private final AtomicReferenceArray<Depot> depots;

    public Depots(SizeClasses classes) {
        this.classes = classes;
        this.depots = new AtomicReferenceArray<>(classes.count());
    }

    public Depot of(int sizeClass) {
        Depot depot = depots.getAcquire(sizeClass);
        if (depot == null) {
            depots.compareAndSet(sizeClass, null, new Depot(classes.sizeOf(sizeClass)));
            depot = Objects.requireNonNull(depots.getAcquire(sizeClass));
        }
        return depot;
    }

    /** Passes each depot that exists to {@code visit}. */
    public void each(Consumer<Depot> visit) {
        for (int c = 0; c < depots.length(); c++) {
            Depot depot = depots.getAcquire(c);
            if (depot != null) {
                visit.accept(depot);
            }
        }
    }
}
