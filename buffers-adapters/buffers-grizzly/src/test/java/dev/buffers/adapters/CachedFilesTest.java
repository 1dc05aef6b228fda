// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.adapters;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.grizzly.GrizzlyMemoryManager;
import dev.buffers.grizzly.ReleasingAddOn;
import java.lang.ref.Reference;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import javax.net.ssl.SSLContext;
import org.glassfish.grizzly.http2.Http2AddOn;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Requests that Grizzly's file cache answers, after which the add-on ends them. A stream's request belongs to Grizzly's HTTP/2 until the
 * stream has ended: recycled when it has been answered, it fails there. Of HTTP/1.1, an answer can be written with the object that was the
 * request's content: {@code HttpCodecFilter.encodeContent} recycles a content of which nothing is compressed yet, and its caller recycles
 * it once more.
 */
class CachedFilesTest {
    private static final int TIMES = 20;
    private static final Logger GRIZZLY = Logger.getLogger("org.glassfish.grizzly");

    @TempDir
    Path folder;

    /** The largest file that the cache holds in memory; larger ones it sends bit by bit, in a context that it suspends. */
    @ParameterizedTest
    @ValueSource(longs = {100, 1 << 20})
    void leaveNoFailure(long largest) throws Exception {
        Files.write(folder.resolve("file.bin"), Payload.FILE);
        for (int i = 0; i < TIMES; i++) {
            Files.write(folder.resolve(i + ".txt"), Payload.TEXT);
        }
        SSLContext tls = Certificate.context();
        Warnings warnings = new Warnings();
        GRIZZLY.addHandler(warnings);
        try (BufferPool pool = BufferPool.builder("grizzly").policy("heap").build();
                GrizzlyServer server = new GrizzlyServer(folder, tls, GrizzlyMemoryManager.of(pool, pool), listener -> {
                    listener.getFileCache().setMaxEntrySize(largest);
                    listener.registerAddOn(new Http2AddOn());
                    listener.registerAddOn(new ReleasingAddOn());
                })) {
            List<Object> clients = new ArrayList<>(); // a client that is unreachable ends its connections
            for (int i = 0; i < TIMES; i++) {
                Client client = new Client(server, tls);
                clients.add(client);
                HttpRequest.Builder text = client.request(Protocol.HTTP, "/files/" + i + ".txt");
                client.send(Protocol.HTTP, text.header("Accept-Encoding", "gzip")); // not from the cache yet
                for (Protocol protocol : Protocol.values()) {
                    client.file(protocol);
                }
            }
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(300);
            while (pool.stats().leases() > 0) {
                assertTrue(System.nanoTime() - end < 0, () -> pool.stats() + "" + pool.openLeases());
                Thread.sleep(5);
            }
            assertEquals(0, pool.stats().leaks());
            assertEquals(List.of(), new ArrayList<>(warnings.texts)); // when the server stops there are others
            Reference.reachabilityFence(clients);
        } finally {
            GRIZZLY.removeHandler(warnings);
        }
    }

    private static final class Warnings extends Handler {
        private final List<String> texts = new CopyOnWriteArrayList<>();

        @Override
        public void publish(LogRecord entry) {
            if (entry.getLevel().intValue() >= Level.WARNING.intValue()) {
                texts.add(entry.getMessage() + " " + entry.getThrown());
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
