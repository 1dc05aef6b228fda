package dev.buffers.bench.claims.transfer;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** A way to move all that a stream has into another stream. One fork has one, so that its calls can be inlined. */
interface Mover extends AutoCloseable {

    void move(InputStream in, OutputStream out) throws IOException;

    /** Checks that nothing is out, and ends. */
    @Override
    default void close() {}
}
