// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.jetty;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.AcquireOutcome;
import dev.buffers.BufferPool;
import dev.buffers.Exhaustion;
import dev.buffers.PoolExhaustedException;
import dev.buffers.PoolStats;
import dev.buffers.ReleaseOutcome;
import dev.buffers.adapters.Certificate;
import dev.buffers.adapters.Client;
import dev.buffers.adapters.Payload;
import dev.buffers.adapters.Protocol;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.eclipse.jetty.io.RetainableByteBuffer;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The cap under TLS: a connection that meets the cap is cut off, no answer is wrong, and no lease is left. Over HTTP/2 only with
 * {@code at-limit=unpooled}, since a pool that throws makes Jetty lose buffers and connections there (WhatJettyLosesAtItsCapTest).
 */
@Tag("full")
class JettySecureAtTheCapTest {
    private static final int[] SIZES = {65_536, 16_384, 4096, 1024, 128};
    private static final int MANY = 60;
    private static final int CAP = 512 << 10;

    @TempDir
    Path folder;

    private final List<RetainableByteBuffer> held = new ArrayList<>();
    private SSLContext tls;
    private JettyBufferPool pool;
    private JettyServer server;

    private void start(Exhaustion atLimit) throws Exception {
        Files.write(folder.resolve("file.bin"), Payload.FILE);
        tls = Certificate.context();
        pool = JettyBufferPool.of(
                BufferPool.builder("cap").max(CAP).atLimit(atLimit).build(),
                BufferPool.builder("cap-heap")
                        .policy("heap")
                        .max(CAP)
                        .atLimit(atLimit)
                        .build());
        server = new JettyServer(pool, new QueuedThreadPool(), new Handler.Wrapper(), folder, tls);
    }

    @AfterEach
    void nothingIsLeft() throws Exception {
        held.forEach(RetainableByteBuffer::release);
        server.stop();
        for (BufferPool one : server.pools()) {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(300);
            while (one.stats().leases() > 0 && System.nanoTime() - end < 0) {
                System.gc();
                Thread.sleep(20);
            }
            PoolStats stats = one.stats();
            assertEquals(
                    0,
                    stats.leases() + stats.leaks() + stats.releases(ReleaseOutcome.INVALID),
                    () -> stats + "\n" + one.openLeases());
            one.close();
        }
    }

    @Test
    void aConnectionThatFindsNoRoomEnds() throws Exception {
        start(Exhaustion.fail());
        holdAll();
        ExecutionException cut = assertThrows(
                ExecutionException.class,
                () -> new Client(server, tls).sendFile(Protocol.HTTPS).get(300, TimeUnit.SECONDS));
        assertTrue(cut.getCause() instanceof IOException, cut::toString);
        makeRoom();
        new Client(server, tls).file(Protocol.HTTPS);
    }

    @Test
    void moreAtOnceThanThereIsRoomFor() throws Exception {
        start(Exhaustion.fail());
        holdAll();
        for (int i = 0; i < held.size(); i++) {
            held.remove(i).release(); // every second one
        }
        for (CompletableFuture<HttpResponse<byte[]>> answer : many(Protocol.HTTPS)) {
            try {
                HttpResponse<byte[]> response = answer.get(300, TimeUnit.SECONDS);
                if (response.statusCode() == 200) {
                    assertArrayEquals(Payload.FILE, response.body());
                } else {
                    assertEquals(500, response.statusCode());
                }
            } catch (ExecutionException e) {
                assertTrue(e.getCause() instanceof IOException, e::toString);
            }
        }
        assertTrue(sum(AcquireOutcome.REJECTED) > 0, "the cap was met");
        makeRoom();
        new Client(server, tls).file(Protocol.HTTPS);
    }

    @ParameterizedTest
    @EnumSource(names = {"HTTPS", "HTTP2"})
    void withUnpooledMemoryAllAreAnswered(Protocol protocol) throws Exception {
        start(Exhaustion.unpooled());
        for (boolean direct : new boolean[] {true, false}) {
            for (long before = sum(AcquireOutcome.UNPOOLED); sum(AcquireOutcome.UNPOOLED) == before; ) {
                held.add(pool.acquire(SIZES[0], direct));
            }
        }
        long before = sum(AcquireOutcome.UNPOOLED);
        for (CompletableFuture<HttpResponse<byte[]>> answer : many(protocol)) {
            HttpResponse<byte[]> response = answer.get(300, TimeUnit.SECONDS);
            assertEquals(200, response.statusCode());
            assertArrayEquals(Payload.FILE, response.body());
        }
        assertTrue(sum(AcquireOutcome.UNPOOLED) > before, "the cap was met");
    }

    private List<CompletableFuture<HttpResponse<byte[]>>> many(Protocol protocol) {
        List<CompletableFuture<HttpResponse<byte[]>>> answers = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            answers.add(new Client(server, tls).sendFile(protocol));
        }
        return answers;
    }

    private long sum(AcquireOutcome outcome) {
        return server.pools().stream()
                .mapToLong(one -> one.stats().acquires(outcome))
                .sum();
    }

    private void makeRoom() {
        held.forEach(RetainableByteBuffer::release);
        held.clear();
        for (BufferPool one : server.pools()) {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(300);
            one.trim();
            while (one.stats().droppedBytes() > 0 && System.nanoTime() - end < 0) {
                System.gc(); // an array of one size makes room for one of another once the collector has taken it
            }
        }
    }

    private void holdAll() {
        for (int size : SIZES) {
            for (boolean direct : new boolean[] {true, false}) {
                for (boolean room = true; room; ) {
                    try {
                        held.add(pool.acquire(size, direct));
                    } catch (PoolExhaustedException full) {
                        room = false;
                    }
                }
            }
        }
    }
}
