package dev.buffers.adapters;

import dev.buffers.BufferPool;
import java.net.URI;
import java.util.List;

/** A framework's server that runs on our pool, as its test hands it to the contract. */
public interface ServerUnderTest {
    /** Where it listens in the clear: {@code http://127.0.0.1:<port>}. */
    URI http();

    /** Where it listens with TLS: {@code https://127.0.0.1:<port>}; speaks HTTP/2 too if the test is an {@link Http2Contract}. */
    URI https();

    /** Every pool that it takes buffers from. The contract expects each to be used, and closes them at the end. */
    List<BufferPool> pools();

    /** Stops it and returns when it has. Its pools stay open. */
    void stop() throws Exception;
}
