// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.adapters;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.AcquireOutcome;
import dev.buffers.BufferPool;
import dev.buffers.PoolStats;
import dev.buffers.ReleaseOutcome;
import dev.buffers.grizzly.GrizzlyMemoryManager;
import dev.buffers.grizzly.ReleasingAddOn;
import dev.buffers.grizzly.ReleasingWebSocketAddOn;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.glassfish.grizzly.http.server.NetworkListener;
import org.glassfish.grizzly.http2.Http2AddOn;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Grizzly's HTTP server on the heap, as its own memory managers have it. In the contract's package for the sake of {@link #noLeaseIsLeft}:
 * Grizzly drops buffers of connections that end early.
 */
class GrizzlyServerTest extends ServerContract implements Http2Contract, WebSocketContract, GzipRequestContract {
    @Override
    protected ServerUnderTest start(Path folder, SSLContext tls) throws Exception {
        return new GrizzlyServer(folder, tls, memory(), this::addOns);
    }

    GrizzlyMemoryManager memory() {
        BufferPool heap = BufferPool.builder("grizzly").policy("heap").build();
        return GrizzlyMemoryManager.of(heap, heap);
    }

    void addOns(NetworkListener listener) {
        listener.registerAddOn(new Http2AddOn());
        listener.registerAddOn(new ReleasingWebSocketAddOn());
        listener.registerAddOn(new ReleasingAddOn());
    }

    @Override
    public boolean compressesStreams() {
        return false;
    }

    /** A file's second request makes Grizzly's cache compress it; others at that time get it as it is. */
    @Override
    @Test
    @Tag("frameworks")
    void mixedLoad() throws Exception {
        for (Protocol listener : List.of(Protocol.HTTP, Protocol.HTTPS)) {
            client().gzip(listener);
            client().gzip(listener);
        }
        super.mixedLoad();
    }

    /** Each of its bytes comes in a TLS record, and Grizzly keeps a buffer for each until the head is whole. */
    @Test
    void incompleteHeadOverTlsHoldsLittle() throws Exception {
        String head = Connection.get("/" + "a".repeat(500));
        try (Connection connection = client().connect(Protocol.HTTPS)) {
            for (int i = 0; i < head.length() - 1; i++) {
                connection.write(head.substring(i, i + 1));
            }
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(300);
            while (leasedBytes() == 0 || leasedBytes() > 128 * head.length()) {
                assertTrue(System.nanoTime() - end < 0, this::open);
                Thread.sleep(10);
            }
            connection.write(head.substring(head.length() - 1));
            assertEquals(404, connection.readStatus());
        }
    }

    /**
     * As the contract has it, but for what Grizzly 4.0.2 drops, which is gone when the collector has found it. With the add-ons that is: a
     * part of a TLS record ({@code DefaultFilterChain.FiltersState}) and writes that failed ({@code AsyncWriteQueueRecord.notifyFailure})
     * when a connection ends early; the request with which a web socket begins ({@code WebSocketFilter.handleServerHandshake}); a TLS alert
     * that comes alone ({@code SSLBaseFilter.unwrapAll}); the answer to a stream that its client has reset.
     */
    @Override
    @AfterEach
    void noLeaseIsLeft() throws Exception {
        server().stop();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(300);
        while (leases() > 0) {
            assertTrue(System.nanoTime() - end < 0, this::open);
            System.gc();
            Thread.sleep(50);
        }
        for (BufferPool pool : server().pools()) {
            PoolStats stats = pool.stats();
            assertEquals(0, stats.releases(ReleaseOutcome.INVALID), stats::toString);
            assertEquals(0, stats.acquires(AcquireOutcome.REJECTED), stats::toString);
            assertTrue(acquires(pool) > 0, stats::toString);
            pool.close();
        }
    }

    private long leases() {
        return server().pools().stream()
                .mapToLong(pool -> pool.stats().leases())
                .sum();
    }

    private long leasedBytes() {
        return server().pools().stream()
                .mapToLong(pool -> pool.stats().leasedBytes())
                .sum();
    }

    private String open() {
        StringBuilder text = new StringBuilder();
        server().pools().forEach(pool -> text.append(pool.stats()).append(pool.openLeases()));
        return text.toString();
    }
}
