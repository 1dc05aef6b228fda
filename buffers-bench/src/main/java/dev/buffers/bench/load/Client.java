// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.load;

import java.io.IOException;

/** One connection of a load, registered with the selector of its thread, the client attached. Used by that thread. */
public abstract class Client implements AutoCloseable {

    /** Where answers are counted. */
    public interface Tally {
        /** One that was right: when it came after its request counted as sent, and its size. */
        void answered(long nanos, long bytes);
    }

    /** Whether another request may be sent now. */
    protected abstract boolean hasRoom();

    /** Queues a request that counts as sent at {@code time}. */
    protected abstract void ask(long time);

    /** Sends the queued requests, as far as the socket takes them. */
    protected abstract void flush() throws IOException;

    /** Reads the received bytes, and checks them. */
    protected abstract void receive(Tally tally) throws IOException;

    /** Sees to a connection that was being made. */
    protected void connected() throws IOException {}

    /** Connections that it has opened so far. */
    protected long connects() {
        return 1;
    }

    @Override
    public abstract void close() throws IOException;
}
