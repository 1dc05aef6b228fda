// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.sockets;

import dev.buffers.bench.jvm.VirtualThreads;
import dev.buffers.bench.net.LoopbackServer;
import dev.buffers.bench.net.LoopbackServer.Listener;
import java.io.IOException;
import java.nio.channels.AsynchronousChannelGroup;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.function.Supplier;

/** The ways to wait for bytes. */
enum EchoKind {
    /** Blocking channels, a thread for each connection. */
    BLOCKING,
    /** A selector, whose thread does the work. */
    NIO,
    /** A selector, whose thread hands the work to others. */
    NIO_THREADED,
    /** Asynchronous channels; their group's only thread does the work. */
    ASYNC,
    /**
     * Asynchronous channels; their group's only thread hands the work to others. What these write is left to the group's thread
     * again, since a group of a fixed size lets no other thread write at once.
     */
    ASYNC_THREADED,
    /** Asynchronous channels; all of their group's threads do the work. */
    ASYNC_GROUP,
    /** Asynchronous channels, a thread for each connection that waits for their futures. */
    ASYNC_FUTURE,
    /** Blocking channels, a virtual thread for each connection. */
    VIRTUAL;

    private static final ThreadFactory DAEMONS = task -> LoopbackServer.daemon(task, "echo");
    private static final int WORKERS = 4;

    private static ExecutorService workers() {
        return Executors.newFixedThreadPool(WORKERS, DAEMONS);
    }

    private static AsynchronousChannelGroup group(int threads) throws IOException {
        return AsynchronousChannelGroup.withFixedThreadPool(threads, DAEMONS);
    }

    /** Starts a server on the loopback interface; {@code buffers} makes those of one connection. */
    LoopbackServer<?, ?> start(Supplier<Memory.Buffers> buffers) throws IOException {
        return switch (this) {
            case BLOCKING -> new BlockingEcho<>(Listener.blocking(0), DAEMONS, buffers);
            case NIO -> new SelectorEcho(null, buffers);
            case NIO_THREADED -> new SelectorEcho(workers(), buffers);
            case ASYNC -> new AsyncEcho(group(1), null, buffers);
            case ASYNC_THREADED -> new AsyncEcho(group(1), workers(), buffers);
            case ASYNC_GROUP -> new AsyncEcho(group(WORKERS), null, buffers);
            case ASYNC_FUTURE -> new BlockingEcho<>(Listener.asynchronous(null), DAEMONS, buffers);
            case VIRTUAL -> new BlockingEcho<>(Listener.blocking(0), VirtualThreads.factory(), buffers);
        };
    }
}
