package dev.buffers.internal.signals;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Who is told of the size that each acquire asks for.
 *
 * <p>Any thread. Listeners run with no magazine, claim or lock held, and may come and go meanwhile. While one runs, its pool refuses
 * the calls of its thread.
 */
final class SizeListeners {
    private static final long LOG_EVERY = TimeUnit.MINUTES.toNanos(1);

    private final List<Listener> listeners = new CopyOnWriteArrayList<>();

    /** Changes of the list come one at a time. */
    void add(IntConsumer listener) {
        listeners.add(new Listener(listener));
    }

    void remove(IntConsumer listener) {
        for (Listener one : listeners) {
            if (one.consumer.equals(listener)) {
                listeners.remove(one);
                return;
            }
        }
    }

    boolean isEmpty() {
        return listeners.isEmpty();
    }

    /**
     * What a listener throws is logged, since the thread that acquires has nothing to do with it, and has a slot in its hands.
     *
     * @param calling says, while it is not null, which user's code this thread runs for the pool
     */
    void notify(int size, String pool, ThreadLocal<@Nullable String> calling) {
        try {
            for (Listener listener : listeners) {
                listener.tell(size, pool, calling);
            }
        } catch (Throwable e) {
            // No heap or no stack to go through them, or to say so.
        }
    }

    private static final class Listener {
        private final IntConsumer consumer;

        /** Those that the log does not know of, and when it last heard of one. */
        private final AtomicLong failures = new AtomicLong();

        private final AtomicLong logged = new AtomicLong(System.nanoTime() - LOG_EVERY);

        Listener(IntConsumer consumer) {
            this.consumer = consumer;
        }

        void tell(int size, String pool, ThreadLocal<@Nullable String> calling) {
            try {
                calling.set("a size listener");
                try {
                    consumer.accept(size);
                } finally {
                    calling.set(null); // to remove it would make garbage of each acquire
                }
            } catch (Throwable e) {
                failed(pool, e);
            }
        }

        private void failed(String pool, Throwable thrown) {
            failures.incrementAndGet();
            long now = System.nanoTime();
            long last = logged.get();
            if (now - last < LOG_EVERY || !logged.compareAndSet(last, now)) {
                return;
            }
            long more = failures.getAndSet(0) - 1;
            try {
                System.getLogger("dev.buffers")
                        .log(
                                System.Logger.Level.WARNING,
                                "a size listener has thrown: pool=" + pool
                                        + (more > 0 ? "; and " + more + " more" : ""),
                                thrown);
            } catch (Throwable e) {
                // The other listeners are told all the same.
            }
        }
    }
}
