// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.adapters;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.ThreadLocalRandom;

/** Every {@link Stamps.Way} to wait for an answer, as servlets do it. */
public final class StampedServlet extends HttpServlet {
    private static final long serialVersionUID = 1;
    private static final int TIMEOUT = 20_000;

    private final transient Stamps stamps;

    public StampedServlet(Stamps stamps) {
        this.stamps = stamps;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String path = request.getRequestURI();
        byte stamp = Stamps.stamp(path);
        Stamps.Way way = Stamps.way(path);
        response.setContentType("application/octet-stream");
        switch (way) {
            case ECHO, BLOCKING_UPLOAD -> answer(response, stamp, stamps.read(request.getInputStream(), stamp));
            case EVENTS -> {
                AsyncContext async = begin(request, TIMEOUT);
                ServletOutputStream out = response.getOutputStream();
                int events = 1 + ThreadLocalRandom.current().nextInt(6);
                response.flushBuffer();
                stamps.later(() -> event(async, out, stamp, events));
            }
            case POLL, LATE -> {
                AsyncContext async = begin(request, way == Stamps.Way.LATE ? Stamps.PATIENCE : TIMEOUT);
                stamps.later(() -> end(async, () -> answer(response, stamp, Stamps.length(way))));
            }
            case UPLOAD -> {
                AsyncContext async = begin(request, TIMEOUT);
                ServletInputStream in = request.getInputStream();
                in.setReadListener(new Upload(async, in, response, stamp));
            }
            case DOWNLOAD -> {
                AsyncContext async = begin(request, TIMEOUT);
                response.setContentLength(Stamps.length(way));
                ServletOutputStream out = response.getOutputStream();
                out.setWriteListener(new Download(async, out, stamp));
            }
            default -> throw new IllegalStateException("way=" + way);
        }
    }

    private static AsyncContext begin(HttpServletRequest request, int timeout) {
        AsyncContext async = request.startAsync();
        async.setTimeout(timeout);
        async.addListener(new Completing());
        return async;
    }

    private static void answer(HttpServletResponse response, byte stamp, int length) throws IOException {
        response.setContentLength(length);
        write(response.getOutputStream(), stamp, length);
    }

    private static void write(ServletOutputStream out, byte stamp, int length) throws IOException {
        byte[] part = Stamps.part(stamp);
        for (int left = length; left > 0; left -= part.length) {
            out.write(part, 0, Math.min(left, part.length));
        }
    }

    private void event(AsyncContext async, ServletOutputStream out, byte stamp, int left) {
        try {
            out.write(Stamps.part(stamp), 0, Stamps.eventBytes());
            out.flush();
        } catch (IOException | RuntimeException e) { // the client has left
            end(async, () -> {});
            return;
        }
        if (left == 1) {
            end(async, () -> {});
        } else {
            stamps.later(() -> event(async, out, stamp, left - 1));
        }
    }

    /** Writes the rest of an answer. */
    private interface Rest {
        void write() throws IOException;
    }

    private static void end(AsyncContext async, Rest rest) {
        try {
            rest.write();
        } catch (IOException | RuntimeException e) {
            // the client has left, or the time is over
        } finally {
            try {
                async.complete();
            } catch (RuntimeException e) {
                // it has ended
            }
        }
    }

    /** Ends an exchange whose time is over, or that failed. */
    private static final class Completing implements AsyncListener {
        @Override
        public void onComplete(AsyncEvent event) {}

        @Override
        public void onTimeout(AsyncEvent event) {
            event.getAsyncContext().complete();
        }

        @Override
        public void onError(AsyncEvent event) {
            end(event.getAsyncContext(), () -> {});
        }

        @Override
        public void onStartAsync(AsyncEvent event) {}
    }

    /** Reads all bytes that have arrived. */
    private final class Upload implements ReadListener {
        private final AsyncContext async;
        private final ServletInputStream in;
        private final HttpServletResponse response;
        private final byte stamp;
        private int length;

        Upload(AsyncContext async, ServletInputStream in, HttpServletResponse response, byte stamp) {
            this.async = async;
            this.in = in;
            this.response = response;
            this.stamp = stamp;
        }

        @Override
        public void onDataAvailable() throws IOException {
            byte[] some = new byte[3_000];
            while (in.isReady()) {
                int n = in.read(some);
                if (n < 0) {
                    return;
                }
                stamps.check(stamp, some, 0, n, "upload");
                length += n;
            }
        }

        @Override
        public void onAllDataRead() {
            end(async, () -> answer(response, stamp, length));
        }

        @Override
        public void onError(Throwable problem) {
            end(async, () -> {});
        }
    }

    /** Writes as many bytes as there is room for. */
    private static final class Download implements WriteListener {
        private final AsyncContext async;
        private final ServletOutputStream out;
        private final byte stamp;
        private int left = Stamps.DOWNLOAD;

        Download(AsyncContext async, ServletOutputStream out, byte stamp) {
            this.async = async;
            this.out = out;
            this.stamp = stamp;
        }

        @Override
        public void onWritePossible() throws IOException {
            while (out.isReady()) {
                if (left == 0) {
                    async.complete();
                    return;
                }
                int length = Math.min(left, Stamps.part(stamp).length);
                out.write(Stamps.part(stamp), 0, length);
                left -= length;
            }
        }

        @Override
        public void onError(Throwable problem) {
            end(async, () -> {});
        }
    }
}
