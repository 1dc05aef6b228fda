package dev.buffers.tlschannel;

import java.nio.ByteBuffer;
import tlschannel.BufferAllocator;

/**
 * What TLS Channel decrypts into when the reader's own buffer is too small.
 *
 * <p>Any thread.
 */
final class PlainLeases implements BufferAllocator {
    /*
     * TLS Channel allocates this buffer for the handshake too, which puts nothing into it, and then keeps it until some read uses it, mostly
     * for as long as the connection lives. So the first one is empty. When a record does not fit, TLS Channel asks for twice the capacity of
     * what it has, that is for 0 bytes; it gets a buffer for the largest record then, and gives that back as soon as it is read.
     */
    private static final int LARGEST_RECORD =
            17 * 1024; // TLS Channel's own limit: a buffer of that capacity does not grow any more

    private final Leases leases;

    PlainLeases(Leases leases) {
        this.leases = leases;
    }

    @Override
    public ByteBuffer allocate(int size) {
        return size == 0 ? leases.allocate(LARGEST_RECORD) : ByteBuffer.allocate(0);
    }

    @Override
    public void free(ByteBuffer buffer) {
        if (buffer.capacity() > 0) {
            leases.free(buffer);
        }
    }
}
