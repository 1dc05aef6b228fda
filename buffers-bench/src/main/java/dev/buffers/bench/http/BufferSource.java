package dev.buffers.bench.http;

import dev.buffers.BufferPool;
import java.util.Optional;

/**
 * Where a server's buffers come from: the pool, or a rival. Threads may share it.
 *
 * <p>This is the one seam of the server. What stands behind it for the pool is what a user would write without it.
 */
public interface BufferSource extends AutoCloseable {

    /** Bytes in each buffer of every source. */
    int BUFFER_SIZE = 8192;

    /** Buffers for one connection. */
    ConnectionBuffers connection();

    /** Runs {@code wake} once when a buffer can be had, on the thread that made room, or at once on this one. */
    void whenAvailable(Runnable wake);

    /** Hands a wake-up that found nothing to do to whoever waits next. */
    void passOn();

    Figures figures();

    /** The pool behind it, for whoever shows its meters; a rival has none. */
    default Optional<BufferPool> pool() {
        return Optional.empty();
    }

    @Override
    void close();

    /**
     * What a source knows of its memory.
     *
     * @param reserved bytes held from the JVM, in use or not
     * @param leased bytes in use
     */
    record Figures(long reserved, long leased) {}
}
