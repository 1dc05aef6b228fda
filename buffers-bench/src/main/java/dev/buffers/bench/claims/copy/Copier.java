package dev.buffers.bench.claims.copy;

import java.io.IOException;
import java.nio.file.Path;

/** A way to copy a file to where there is none, opening and closing included. One fork has one. */
interface Copier extends AutoCloseable {

    void copy(Path from, Path to) throws IOException;

    /** Checks that nothing is out, and ends. */
    @Override
    default void close() {}
}
