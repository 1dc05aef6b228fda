// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.adapters;

// tag::grizzly-limit
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.glassfish.grizzly.CloseListener;
import org.glassfish.grizzly.CloseType;
import org.glassfish.grizzly.Closeable;
import org.glassfish.grizzly.Connection;
import org.glassfish.grizzly.http.server.HttpHandler;
import org.glassfish.grizzly.http.server.Request;
import org.glassfish.grizzly.http.server.Response;

/** Answers 503 while the handler works at as many requests as it may. */
final class LimitedHandler extends HttpHandler {
    private final HttpHandler next;
    private final Semaphore free;

    LimitedHandler(HttpHandler next, Semaphore free) {
        this.next = next;
        this.free = free;
    }

    @Override
    public void service(Request request, Response response) throws Exception {
        if (!free.tryAcquire()) {
            response.sendError(503);
            return;
        }
        AtomicBoolean ended = new AtomicBoolean();
        Runnable release = () -> {
            if (ended.compareAndSet(false, true)) {
                free.release();
            }
        };
        Connection<?> connection = request.getRequest().getConnection();
        CloseListener<Closeable, CloseType> gone = (closed, how) -> release.run();
        connection.addCloseListener(gone); // Grizzly may never end a suspended request whose client vanishes
        request.addAfterServiceListener(served -> {
            connection.removeCloseListener(gone);
            release.run();
        });
        try {
            next.service(request, response);
        } finally {
            if (!response.isSuspended()) {
                release.run();
            }
        }
    }
}
// end::grizzly-limit
