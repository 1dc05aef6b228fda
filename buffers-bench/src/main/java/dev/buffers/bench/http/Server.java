package dev.buffers.bench.http;

/** A running server, whatever its threads are. */
public interface Server extends AutoCloseable {

    int port();

    /** Connections open now. */
    int connections();

    /** Responses sent so far. */
    long responses();

    /** Errors of the server's own so far; each was logged and cost a connection. */
    long failures();

    /** Heap bytes that its threads have allocated so far. */
    long allocatedBytes();

    /** Stops accepting, drops all connections and waits until all they held is given back. */
    @Override
    void close();
}
