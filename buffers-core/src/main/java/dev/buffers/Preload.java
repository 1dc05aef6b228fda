package dev.buffers;

import java.lang.invoke.MethodHandles;
import java.util.List;
import org.jctools.queues.varhandle.MpmcVarHandleArrayQueue;

/**
 * Initialises and links what the slow paths need, when the first pool is made. A class whose initialiser overflows a stack, or finds no
 * heap, cannot be used for ever after.
 *
 * <p>One thread, the one that initialises {@link SlabPool}.
 */
final class Preload {
    private static final List<Class<?>> CLASSES = List.of(
            AcquireOutcome.class,
            BuiltInPolicy.class,
            Callbacks.class,
            Callbacks.Due.class,
            Counters.class,
            DaemonThreads.class,
            Depot.class,
            DurationText.class,
            Exhaustion.class,
            FlightEvents.class,
            Growth.class,
            LeakReport.class,
            LeakReport.Acquisition.class,
            Magazine.class,
            Magazines.class,
            PoolExhaustedException.class,
            PoolStats.class,
            PoolStats.SizeClass.class,
            PooledBuffer.class,
            Recall.class,
            Region.class,
            Region.Footprint.class,
            Regions.class,
            ReleaseOutcome.class,
            Returns.class,
            Serving.class,
            Slab.class,
            SlabRows.class,
            Slabs.class,
            Slot.class,
            StackRoom.class,
            Supply.class,
            Tally.class,
            ThreadMagazines.class,
            Trace.class,
            Trimmer.class,
            Waiters.class,
            Waiters.Waiter.class,
            WakeUps.class,
            Waiting.class);

    private Preload() {}

    static void all() {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        for (Class<?> each : CLASSES) {
            try {
                lookup.ensureInitialized(each);
            } catch (IllegalAccessException e) {
                throw new ExceptionInInitializerError(e);
            }
        }
        // Between their two stores these must not link anything: an element that never comes would block the queue.
        MpmcVarHandleArrayQueue<Object> queue = new MpmcVarHandleArrayQueue<>(2);
        queue.relaxedOffer(queue);
        queue.relaxedPoll();
        StackRoom.check();
    }
}
