package dev.buffers.bench.frameworks;

import dev.buffers.BufferPool;
import java.io.IOException;
import java.util.List;

/** A framework's server that runs in this JVM, on the loopback interface. */
interface Embedded extends AutoCloseable {
    int port();

    /** Our pools behind it; none when it uses its own. */
    List<BufferPool> pools();

    /** Stops it, and closes our pools. */
    @Override
    void close() throws IOException;
}
