// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.docs;

// tag::httpserver
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.buffers.BufferPool;
import dev.buffers.io.Transfers;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Answers with a file. */
public final class FileHandler implements HttpHandler {
    private final Path file;
    private final Transfers transfers;

    /** A pool with policy=heap: this server's streams want arrays. */
    public FileHandler(Path file, BufferPool pool) {
        this.file = file;
        this.transfers = new Transfers(pool);
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        try (exchange;
                InputStream in = Files.newInputStream(file)) {
            exchange.sendResponseHeaders(200, Files.size(file));
            transfers.transfer(in, exchange.getResponseBody());
        }
    }
}
// end::httpserver
