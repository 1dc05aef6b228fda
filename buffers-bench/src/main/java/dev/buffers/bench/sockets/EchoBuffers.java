package dev.buffers.bench.sockets;

import java.nio.ByteBuffer;

/** The buffers of one connection, used by one thread at a time. */
interface EchoBuffers extends AutoCloseable {

    /** Bytes in each. */
    int SIZE = 4096;

    /** An empty buffer, for one read and the write that answers it. */
    ByteBuffer take();

    /** Ends the use of the buffer last taken. */
    void giveBack();

    @Override
    void close();
}
