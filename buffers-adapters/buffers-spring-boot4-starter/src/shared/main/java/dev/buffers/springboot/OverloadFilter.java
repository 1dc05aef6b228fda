// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.springboot;

import dev.buffers.PoolExhaustedException;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Answers 503 with {@code Retry-After} when a request fails for want of a buffer, and when more requests are in progress than {@code
 * buffers.server.max-requests} allows. A size that the cap could never hold stays an error of the application: trying again is in vain.
 * The actuator's endpoints have no limit, so that a busy server still shows that it is alive.
 *
 * <p>Any thread. An asynchronous request is in progress until it is complete: it keeps the place that its first pass took, and a later
 * dispatch takes none. A failure is answered in the dispatch that throws it.
 */
final class OverloadFilter implements Filter {
    static final String RETRY_AFTER_SECONDS = "1";
    private static final int DEEPEST_CAUSE = 16;

    private final @Nullable Semaphore free;
    private final RejectedRequests rejected;
    private final UnlimitedPaths unlimited;

    /** No limit when 0. */
    OverloadFilter(int maxRequests, RejectedRequests rejected, UnlimitedPaths unlimited) {
        this.free = maxRequests == 0 ? null : new Semaphore(maxRequests);
        this.rejected = rejected;
        this.unlimited = unlimited;
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (free == null
                || request.getDispatcherType() == DispatcherType.ASYNC
                || unlimited.has((HttpServletRequest) request)) {
            answer(request, response, chain);
            return;
        }
        if (!free.tryAcquire()) {
            rejected.forTooManyRequests();
            refuse(response);
            return;
        }
        Place place = new Place(free);
        try {
            answer(request, response, chain);
        } finally {
            place.leaveWhenComplete(request);
        }
    }

    private void answer(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        try {
            chain.doFilter(request, response);
        } catch (IOException | ServletException | RuntimeException e) {
            PoolExhaustedException full = exhausted(e);
            if (response.isCommitted() || full == null || full.isPermanent()) {
                throw e;
            }
            rejected.forWantOfBuffer(full);
            refuse(response);
            complete(request);
        }
    }

    /** Otherwise an asynchronous request that failed in the pass that started it would never be answered. */
    private static void complete(ServletRequest request) {
        try {
            if (request.isAsyncStarted()) {
                request.getAsyncContext().complete();
            }
        } catch (IllegalStateException e) {
            // Another thread has completed it.
        }
    }

    private static @Nullable PoolExhaustedException exhausted(Throwable thrown) {
        Throwable at = thrown;
        for (int depth = 0; at != null && depth < DEEPEST_CAUSE; depth++) {
            if (at instanceof PoolExhaustedException full) {
                return full;
            }
            at = at.getCause();
        }
        return null;
    }

    /** With no body: it needs as little memory as possible. */
    private static void refuse(ServletResponse response) {
        response.reset();
        HttpServletResponse http = (HttpServletResponse) response;
        http.setStatus(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
        http.setHeader("Retry-After", RETRY_AFTER_SECONDS);
        http.setContentLength(0);
    }

    /** One of the requests in progress; given back once. */
    private static final class Place implements AsyncListener {
        private final Semaphore free;
        private final AtomicBoolean left = new AtomicBoolean();

        Place(Semaphore free) {
            this.free = free;
        }

        void leaveWhenComplete(ServletRequest request) {
            try {
                if (request.isAsyncStarted()) {
                    request.getAsyncContext().addListener(this);
                    return;
                }
            } catch (IllegalStateException e) {
                // It has completed since.
            }
            leave();
        }

        private void leave() {
            if (left.compareAndSet(false, true)) {
                free.release();
            }
        }

        @Override
        public void onComplete(AsyncEvent event) {
            leave();
        }

        @Override
        public void onTimeout(AsyncEvent event) {}

        @Override
        public void onError(AsyncEvent event) {}

        @Override
        public void onStartAsync(AsyncEvent event) {
            event.getAsyncContext().addListener(this);
        }
    }
}
