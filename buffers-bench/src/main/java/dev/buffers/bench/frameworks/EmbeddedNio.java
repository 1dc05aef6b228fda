// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.frameworks;

import dev.buffers.BufferPool;
import dev.buffers.bench.http.BufferSource;
import dev.buffers.bench.http.FreshBuffers;
import dev.buffers.bench.http.HttpServer;
import dev.buffers.bench.http.PooledBuffers;
import dev.buffers.bench.http.ServerOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * This bench's web server on selectors, whose TLS is the library TLS Channel. Without the pool each connection keeps a direct buffer that it
 * reads into, and TLS Channel has its own buffers.
 */
final class EmbeddedNio {
    private EmbeddedNio() {}

    static Embedded start(Contents contents, boolean ours, @Nullable Tls tls) throws IOException {
        BufferSource source =
                ours ? new PooledBuffers(BufferPool.create("nio")) : new FreshBuffers(ByteBuffer::allocateDirect, true);
        ServerOptions options = ServerOptions.of(contents.root())
                .withMaxRequests(Integer.MAX_VALUE)
                .withIdleTimeout(Duration.ofSeconds(Embedded.IDLE_SECONDS))
                .withTls(tls == null ? null : tls.context());
        HttpServer server = new HttpServer(options, source);
        return new Embedded(server.port(), source.pool().stream().toList(), () -> {
            server.close();
            source.close();
        });
    }
}
