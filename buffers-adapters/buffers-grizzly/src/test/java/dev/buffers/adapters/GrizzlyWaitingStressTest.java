// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.adapters;

import dev.buffers.BufferPool;
import dev.buffers.LeakTracking;
import dev.buffers.grizzly.GrizzlyMemoryManager;
import dev.buffers.grizzly.ReleasingAddOn;
import dev.buffers.grizzly.ReleasingWebSocketAddOn;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.glassfish.grizzly.http.server.NetworkListener;
import org.glassfish.grizzly.http2.Http2AddOn;
import org.glassfish.grizzly.threadpool.ThreadPoolConfig;
import org.glassfish.grizzly.websockets.WebSocketAddOn;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;

/** The stress on Grizzly's handlers. */
@Tag("full")
class GrizzlyWaitingStressTest extends WaitingStressContract {
    private static final int SHARE = 64 << 10;
    private static final int THREADS = 200;
    private static final int SELECTORS = 8;

    @Override
    protected ServerUnderTest start(Path folder, SSLContext tls, Buffers buffers, Stamps stamps) throws Exception {
        GrizzlyServer server =
                new GrizzlyServer(folder, tls, memory(buffers), listener -> set(listener, buffers != Buffers.OWN));
        server.add(new StampedHandler(stamps, buffers == Buffers.OWN), Stamps.PREFIX + "*");
        return server;
    }

    private static void set(NetworkListener listener, boolean ours) {
        listener.setMaxPendingBytes(SHARE);
        listener.getTransport() // for each request that waits in a read
                .setWorkerThreadPoolConfig(ThreadPoolConfig.defaultConfig()
                        .setCorePoolSize(THREADS)
                        .setMaxPoolSize(THREADS));
        listener.registerAddOn(new Http2AddOn());
        listener.registerAddOn(ours ? new ReleasingWebSocketAddOn() : new WebSocketAddOn());
        if (ours) {
            listener.registerAddOn(new ReleasingAddOn());
        }
    }

    private static @Nullable GrizzlyMemoryManager memory(Buffers buffers) {
        if (buffers == Buffers.OWN) {
            return null;
        }
        BufferPool heap = buffers.settings(BufferPool.builder("grizzly").leaks(LeakTracking.all()))
                .policy("heap")
                .build();
        return GrizzlyMemoryManager.of(heap, heap);
    }

    /** That can stop a thread of Grizzly's forever: see {@link WhatGrizzlyLosesTest}. */
    @Override
    protected boolean goesAway() {
        return false;
    }

    /** Grizzly may answer the second of two requests that came together, and not the first. */
    @Override
    protected boolean tellsRequestsApart() {
        return false;
    }

    /** A selector's thread retains the connection of its last event, so it gets another one. */
    @Override
    protected void help(Client client) throws InterruptedException {
        for (Protocol protocol : List.of(Protocol.HTTP, Protocol.HTTPS)) {
            for (int i = 0; i < SELECTORS; i++) {
                try (Connection connection = client.connect(protocol)) {
                    connection.write(Connection.get(Reply.THREAD.path()));
                    connection.readStatus();
                } catch (IOException e) {
                    // it has stopped
                }
            }
        }
        System.gc();
        Thread.sleep(50);
    }

    /** Its web sockets are not compressed. Over HTTP/2 no thread waits in a read: see {@link WhatGrizzlyLosesTest}. */
    @Override
    protected List<Stamps.Way> ways(Protocol protocol) {
        List<Stamps.Way> ways = new ArrayList<>(super.ways(protocol));
        ways.remove(Stamps.Way.WEB_SOCKET_DEFLATE);
        if (protocol == Protocol.HTTP2) {
            ways.removeAll(List.of(Stamps.Way.ECHO, Stamps.Way.BLOCKING_UPLOAD));
        }
        return ways;
    }
}
