// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.adapters;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * The bytes of requests and answers that each have a stamp: every byte of the body is the stamp, in both directions. A byte with another
 * stamp came from another request. Any thread.
 */
public final class Stamps implements AutoCloseable {
    /** Where the stamped handlers are: {@code /stamped/<way>/<stamp>}. */
    public static final String PREFIX = "/stamped/";

    /** How many bytes a download has: more than the system takes for a client that does not read. */
    static final int DOWNLOAD = 1_500_000;

    /** How many bytes the answer to a long poll has. */
    static final int POLL = 5_000;

    /** How many bytes an upload has. */
    static final int UPLOAD = 40_000;

    /** The application gives up on a late answer after so many milliseconds. */
    public static final int PATIENCE = 15;

    private static final int MOST = 120;
    private static final int PART = 8 << 10;
    private static final byte[][] PARTS = new byte[MOST + 1][PART];

    static {
        for (int i = 0; i <= MOST; i++) {
            Arrays.fill(PARTS[i], (byte) i);
        }
    }

    private final List<String> foreign = new CopyOnWriteArrayList<>();
    private final AtomicInteger stamps = new AtomicInteger();
    private final AtomicIntegerArray whole = new AtomicIntegerArray(Way.values().length);
    private final ScheduledExecutorService application = Executors.newScheduledThreadPool(2);

    /** How a connection waits. */
    public enum Way {
        /** For the next request; some are sent together. The body comes back. */
        ECHO,
        /** For the next of some events, each of many bytes, that a thread of the application sends. */
        EVENTS,
        /** For an answer that a thread of the application gives. */
        POLL,
        /** The same, but the container's time for the answer may be over by then. */
        LATE,
        /** For more of a request's body: the server reads it with a listener. */
        UPLOAD,
        /** The same; a thread of the server waits in a read. */
        BLOCKING_UPLOAD,
        /** For the client to read on: the server writes with a listener. */
        DOWNLOAD,
        /** For the next message of a web socket, at {@code /ws}. */
        WEB_SOCKET,
        /** The same, compressed. Only the lower seven bits of a byte are the stamp: messages of one byte alone would be too short. */
        WEB_SOCKET_DEFLATE;

        boolean isWebSocket() {
            return this == WEB_SOCKET || this == WEB_SOCKET_DEFLATE;
        }

        /** The path of a request. */
        String path(byte stamp) {
            return PREFIX + name() + "/" + stamp;
        }
    }

    byte next() {
        return (byte) (1 + stamps.getAndIncrement() % MOST);
    }

    /** The way in which the request with this path waits. */
    public static Way way(String path) {
        return Way.valueOf(path.substring(PREFIX.length(), path.lastIndexOf('/')));
    }

    /** The stamp of the request with this path. */
    public static byte stamp(String path) {
        return Byte.parseByte(path.substring(path.lastIndexOf('/') + 1));
    }

    /** Some stamped bytes, never to be changed. */
    public static byte[] part(byte stamp) {
        return PARTS[stamp];
    }

    /** How many bytes the next event has. */
    public static int eventBytes() {
        return 1 + ThreadLocalRandom.current().nextInt(PART);
    }

    /** How many bytes the answer of this request has. */
    public static int length(Way way) {
        return way == Way.DOWNLOAD ? DOWNLOAD : POLL;
    }

    /** Notes every byte that is not the stamp. */
    public void check(byte stamp, byte[] bytes, int offset, int length, String where) {
        for (int i = offset; i < offset + length; i++) {
            if (bytes[i] != stamp) {
                foreign.add(where + " " + stamp + " has " + bytes[i] + " at " + (i - offset) + " of " + length);
                return;
            }
        }
    }

    /** Reads a whole body, checks it, and returns its length. */
    public int read(InputStream in, byte stamp) throws IOException {
        byte[] some = new byte[3_000];
        int length = 0;
        for (int n = in.read(some); n >= 0; n = in.read(some)) {
            check(stamp, some, 0, n, "request");
            length += n;
        }
        return length;
    }

    /** Something was in an answer that is neither a stamp nor the protocol's. */
    void odd(String what) {
        foreign.add(what);
    }

    /** An answer was complete. */
    void whole(Way way) {
        whole.incrementAndGet(way.ordinal());
    }

    int wholes(Way way) {
        return whole.get(way.ordinal());
    }

    List<String> foreign() {
        return foreign;
    }

    /** Runs this on a thread of the application, some milliseconds later. */
    @SuppressWarnings("FutureReturnValueIgnored") // what fails there leaves its answer incomplete
    public void later(Runnable task) {
        application.schedule(task, 1 + ThreadLocalRandom.current().nextInt(2 * PATIENCE), TimeUnit.MILLISECONDS);
    }

    /** Ends the threads of the application. */
    @Override
    public void close() {
        application.shutdownNow();
        try {
            if (!application.awaitTermination(5, TimeUnit.MINUTES)) {
                throw new IllegalStateException("a thread of the application does not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
