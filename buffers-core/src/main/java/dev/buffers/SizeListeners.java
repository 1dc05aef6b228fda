package dev.buffers;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntConsumer;

/**
 * Who is told of the size that each acquire asks for.
 *
 * <p>Any thread. Listeners run with no magazine, claim or lock held, and may come and go meanwhile.
 */
final class SizeListeners {
    private final List<IntConsumer> listeners = new CopyOnWriteArrayList<>();

    void add(IntConsumer listener) {
        listeners.add(listener);
    }

    void remove(IntConsumer listener) {
        listeners.remove(listener);
    }

    boolean isEmpty() {
        return listeners.isEmpty();
    }

    /** What a listener throws is logged, since whoever acquires has nothing to do with it, and has a slot in its hands. */
    void tell(int size, String pool) {
        try {
            for (IntConsumer listener : listeners) {
                try {
                    listener.accept(size);
                } catch (Throwable e) {
                    log(pool, e);
                }
            }
        } catch (OutOfMemoryError e) { // no heap to go through them
            log(pool, e);
        }
    }

    private static void log(String pool, Throwable thrown) {
        try {
            System.getLogger("dev.buffers")
                    .log(System.Logger.Level.WARNING, "a size listener has thrown: pool=" + pool, thrown);
        } catch (Throwable e) {
            // as above
        }
    }
}
