// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.frameworks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** What a server knows of the connections that wait for it, and the texts that client and server agree on. */
final class Waiters {
    static final String SMALL = "/small";
    static final String EVENTS = "/events";
    static final String POLL = "/poll";
    static final String UPLOAD = "/upload";
    static final String LARGE = "/large";
    static final String SOCKET = "/ws";

    static final byte[] ANSWER = "hello".getBytes(StandardCharsets.US_ASCII);

    /** What a client hears at first, and what it hears at the end of its wait. */
    static final String FIRST = "first";

    static final String LAST = "last";

    /** A download has so many bytes: more than the system takes for a client that does not read. */
    static final int DOWNLOAD = 4 << 20;

    /** The same where its {@link #SEND_BUFFER} cannot be set. */
    static final int LONG_DOWNLOAD = 8 << 20;

    /** What the system takes for such a client. */
    static final int SEND_BUFFER = 64 << 10;

    /** A server writes a download in parts of this content, which no connection owns. */
    static final byte[] PART = new byte[8 << 10];

    private final Queue<Waiter> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicLong received = new AtomicLong();
    private final AtomicInteger downloads = new AtomicInteger();

    /** A response that the server owes. */
    interface Waiter {
        void send(String text) throws IOException;
    }

    /**
     * Where all of them stand.
     *
     * @param waiting responses that are not finished
     * @param received bytes of request bodies
     * @param downloads begun and not finished; less than none where the server does not count them
     */
    record Count(int waiting, long received, int downloads) {
        Count since(long receivedBefore) {
            return new Count(waiting, received - receivedBefore, downloads);
        }
    }

    static byte[] event(String data) {
        return ("data: " + data + "\n\n").getBytes(StandardCharsets.US_ASCII);
    }

    void add(Waiter waiter) {
        waiting.add(waiter);
    }

    void received(long bytes) {
        received.addAndGet(bytes);
    }

    void downloadBegins() {
        downloads.incrementAndGet();
    }

    /** For a server that does not count them. */
    void hasNoDownloads() {
        downloads.set(-1);
    }

    void downloadEnds() {
        downloads.decrementAndGet();
    }

    Count count() {
        return new Count(waiting.size(), received.get(), downloads.get());
    }

    /** Sends {@link #LAST} to all; none of them waits here then. A client that has gone in the meantime misses it. */
    Count publish() {
        for (Waiter waiter = waiting.poll(); waiter != null; waiter = waiting.poll()) {
            try {
                waiter.send(LAST);
            } catch (IOException | RuntimeException e) {
                // it has gone; a client that is there notices that nothing came
            }
        }
        return count();
    }
}
