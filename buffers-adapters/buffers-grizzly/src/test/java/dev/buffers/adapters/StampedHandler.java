// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.adapters;

import java.io.IOException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.glassfish.grizzly.EmptyCompletionHandler;
import org.glassfish.grizzly.ReadHandler;
import org.glassfish.grizzly.WriteHandler;
import org.glassfish.grizzly.http.HttpContext;
import org.glassfish.grizzly.http.io.NIOInputStream;
import org.glassfish.grizzly.http.io.NIOOutputStream;
import org.glassfish.grizzly.http.server.HttpHandler;
import org.glassfish.grizzly.http.server.Request;
import org.glassfish.grizzly.http.server.RequestExecutorProvider;
import org.glassfish.grizzly.http.server.Response;

/** Every {@link Stamps.Way} to wait for an answer, as Grizzly's handlers do it. */
final class StampedHandler extends HttpHandler {
    private static final int TIMEOUT = 20_000;

    private final Stamps stamps;
    private final boolean onWorkers;

    /** With {@code onWorkers} no selector's thread runs it, as it does after HTTP/2: see {@link WhatGrizzlyLosesTest}. */
    StampedHandler(Stamps stamps, boolean onWorkers) {
        this.stamps = stamps;
        this.onWorkers = onWorkers;
    }

    @Override
    public RequestExecutorProvider getRequestExecutorProvider() {
        return onWorkers
                ? request -> request.getContext().getConnection().getTransport().getWorkerThreadPool()
                : super.getRequestExecutorProvider();
    }

    @Override
    public void service(Request request, Response response) {
        String path = request.getRequestURI();
        byte stamp = Stamps.stamp(path);
        Stamps.Way way = Stamps.way(path);
        response.setContentType("application/octet-stream");
        Exchange exchange = new Exchange(request, response);
        switch (way) {
            case ECHO, BLOCKING_UPLOAD ->
                exchange.step(() -> exchange.answer(stamp, stamps.read(request.getInputStream(), stamp)));
            case EVENTS -> {
                exchange.suspend(TIMEOUT);
                int events = 1 + ThreadLocalRandom.current().nextInt(6);
                exchange.step(response::flush);
                stamps.later(() -> event(exchange, stamp, events));
            }
            case POLL, LATE -> {
                exchange.suspend(way == Stamps.Way.LATE ? Stamps.PATIENCE : TIMEOUT);
                stamps.later(() -> exchange.last(() -> exchange.answer(stamp, Stamps.length(way))));
            }
            case UPLOAD -> {
                exchange.suspend(TIMEOUT);
                exchange.step(() -> new Upload(exchange, request.getNIOInputStream(), stamp).begin());
            }
            case DOWNLOAD -> {
                exchange.suspend(TIMEOUT);
                response.setContentLength(Stamps.length(way));
                exchange.step(() -> new Download(exchange, response.getNIOOutputStream(), stamp).onWritePossible());
            }
            default -> throw new IllegalStateException("way=" + way);
        }
    }

    private void event(Exchange exchange, byte stamp, int left) {
        if (left == 0) {
            exchange.last(() -> {});
            return;
        }
        exchange.step(() -> {
            exchange.write(stamp, Stamps.eventBytes());
            exchange.response.flush();
            stamps.later(() -> event(exchange, stamp, left - 1));
        });
    }

    private interface Step {
        void run() throws IOException;
    }

    /**
     * A request and its answer. Grizzly uses its objects for another request once this one has ended, so one thread at a time has them, and
     * none after the end.
     */
    private static final class Exchange extends EmptyCompletionHandler<Response> {
        private final Response response;
        private final HttpContext context;
        private boolean suspended;
        private volatile boolean ended;

        Exchange(Request request, Response response) {
            this.response = response;
            this.context = request.getRequest().getProcessingState().getHttpContext();
        }

        void suspend(int millis) {
            suspended = true;
            response.suspend(millis, TimeUnit.MILLISECONDS, this, late -> {
                last(() -> {});
                return false; // it has been resumed
            });
        }

        /** The client has left. Without the lock, because Grizzly holds one too. */
        @Override
        public void cancelled() {
            ended = true;
        }

        synchronized void step(Step step) {
            if (ended) {
                return;
            }
            try {
                step.run();
            } catch (IOException | RuntimeException e) {
                fail();
            }
        }

        void last(Step step) {
            if (endsWith(step)) {
                response.resume();
            }
        }

        private synchronized boolean endsWith(Step step) {
            step(step);
            boolean now = !ended;
            ended = true;
            return now;
        }

        /** The answer will not be complete, so the connection ends, or the stream of HTTP/2. That cancels, unless the client has reset it. */
        void fail() {
            if (ended) {
                return;
            }
            context.getCloseable().terminateSilently();
            if (suspended) {
                last(() -> {});
            }
        }

        void answer(byte stamp, int length) throws IOException {
            response.setContentLength(length);
            write(stamp, length);
        }

        void write(byte stamp, int length) throws IOException {
            byte[] part = Stamps.part(stamp);
            for (int left = length; left > 0; left -= part.length) {
                response.getOutputStream().write(part, 0, Math.min(left, part.length));
            }
        }
    }

    /** Reads all bytes that have arrived. */
    private final class Upload implements ReadHandler {
        private final Exchange exchange;
        private final NIOInputStream in;
        private final byte stamp;
        private int length;

        Upload(Exchange exchange, NIOInputStream in, byte stamp) {
            this.exchange = exchange;
            this.in = in;
            this.stamp = stamp;
        }

        void begin() {
            in.notifyAvailable(this);
        }

        @Override
        public void onDataAvailable() {
            exchange.step(() -> {
                read();
                in.notifyAvailable(this);
            });
        }

        private void read() throws IOException {
            byte[] some = new byte[3_000];
            while (in.isReady()) {
                int n = in.read(some, 0, Math.min(some.length, in.readyData()));
                stamps.check(stamp, some, 0, n, "upload");
                length += n;
            }
        }

        @Override
        public void onAllDataRead() {
            exchange.last(() -> {
                read();
                exchange.answer(stamp, length);
            });
        }

        @Override
        public void onError(Throwable problem) {
            exchange.fail();
        }
    }

    /** Writes as many bytes as there is room for. */
    private static final class Download implements WriteHandler {
        private final Exchange exchange;
        private final NIOOutputStream out;
        private final byte stamp;
        private int left = Stamps.DOWNLOAD;

        Download(Exchange exchange, NIOOutputStream out, byte stamp) {
            this.exchange = exchange;
            this.out = out;
            this.stamp = stamp;
        }

        @Override
        public void onWritePossible() {
            exchange.step(() -> {
                while (left > 0 && out.canWrite()) {
                    int length = Math.min(left, Stamps.part(stamp).length);
                    out.write(Stamps.part(stamp), 0, length);
                    left -= length;
                }
                if (left > 0) {
                    out.notifyCanWrite(this);
                }
            });
            if (left == 0) {
                exchange.last(() -> {});
            }
        }

        @Override
        public void onError(Throwable problem) {
            exchange.fail();
        }
    }
}
