// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.work;

import dev.buffers.bench.pools.Timed;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/**
 * What does a buffer cost that a slow peer takes in small parts? A non-blocking write takes what the system has room for, a
 * thread that has both ends of the connection reads that, and so on until all is there: the ratio of two kinds is that of the
 * cost per byte delivered. A heap buffer is copied for each write, all that remains of it and not only the part that goes.
 */
public class PartialWriteBenchmark extends Timed {
    private static final int SENDING = 8 << 10;
    private static final int RECEIVING = 16 << 10;

    @Param({"heap", "direct", "heapView", "directView"})
    public BufferKind kind;

    /** Bytes to deliver. */
    @Param({"65536", "262144", "1048576"})
    public int size;

    private final ByteBuffer in = ByteBuffer.allocateDirect(64 << 10);

    private BufferKind.Held held;
    private Loopback sockets;
    private long deliveries;
    private long writes;

    /** Connects, with little room on the way. */
    @Override
    public void open() throws IOException {
        held = kind.hold(size);
        held.buffer().put(0, Pattern.bytes(size));
        sockets = Loopback.connect(SENDING, RECEIVING);
        sockets.near().configureBlocking(false);
        sockets.far().configureBlocking(false);
    }

    /** Checks that the writes were partial, and disconnects. */
    @Override
    public void close() throws IOException {
        sockets.close();
        held.end().run();
        if (writes < 2 * deliveries) {
            throw new IOException("the system took too much at once: deliveries=" + deliveries + ", writes=" + writes);
        }
    }

    /** Delivers the whole buffer. */
    @Benchmark
    public int deliver() throws IOException {
        ByteBuffer out = held.buffer().rewind();
        int delivered = 0;
        while (delivered < size) {
            if (out.hasRemaining()) {
                sockets.near().write(out);
                writes++;
            }
            delivered += drain(delivered);
        }
        deliveries++;
        return delivered;
    }

    /** Reads the received bytes; one byte of each read is checked. */
    private int drain(int delivered) throws IOException {
        int drained = 0;
        do {
            int n = sockets.far().read(in.clear());
            if (n < 0) {
                throw new EOFException("the connection has ended");
            }
            if (n > 0 && in.get(0) != Pattern.at(delivered + drained)) {
                throw new IOException("wrong byte: index=" + (delivered + drained) + ", found=" + in.get(0));
            }
            drained += n;
        } while (!in.hasRemaining());
        return drained;
    }
}
