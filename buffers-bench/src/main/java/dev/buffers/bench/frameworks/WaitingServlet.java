// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.frameworks;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** The servlet whose clients wait, for Tomcat and Jetty. */
final class WaitingServlet extends HttpServlet {
    private static final long serialVersionUID = 1;

    private final transient Waiters waiters;
    private final boolean blocking;

    /** Reads bodies with a listener, or so that the thread waits. */
    WaitingServlet(Waiters waiters, boolean blocking) {
        this.waiters = waiters;
        this.blocking = blocking;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        switch (request.getRequestURI()) {
            case Waiters.EVENTS -> events(request, response);
            case Waiters.POLL -> {
                AsyncContext async = begin(request);
                waiters.add(text -> {
                    answer(response, text.getBytes(StandardCharsets.US_ASCII));
                    async.complete();
                });
            }
            case Waiters.UPLOAD -> upload(request, response);
            case Waiters.LARGE -> download(request, response);
            default -> answer(response, Waiters.ANSWER);
        }
    }

    private static AsyncContext begin(HttpServletRequest request) {
        AsyncContext async = request.startAsync();
        async.setTimeout(0);
        return async;
    }

    private static void answer(HttpServletResponse response, byte[] body) throws IOException {
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }

    private void events(HttpServletRequest request, HttpServletResponse response) throws IOException {
        AsyncContext async = begin(request);
        response.setContentType("text/event-stream");
        send(response, Waiters.FIRST);
        waiters.add(text -> {
            send(response, text);
            async.complete();
        });
    }

    private static void send(HttpServletResponse response, String text) throws IOException {
        response.getOutputStream().write(Waiters.event(text));
        response.flushBuffer();
    }

    private void upload(HttpServletRequest request, HttpServletResponse response) throws IOException {
        ServletInputStream in = request.getInputStream();
        if (blocking) {
            byte[] part = new byte[1 << 10];
            for (int n = in.read(part); n >= 0; n = in.read(part)) {
                waiters.received(n);
            }
            answer(response, Waiters.ANSWER);
            return;
        }
        AsyncContext async = begin(request);
        in.setReadListener(new ReadListener() {
            @Override
            public void onDataAvailable() throws IOException {
                byte[] part = new byte[1 << 10];
                while (in.isReady()) {
                    int n = in.read(part);
                    if (n < 0) {
                        return;
                    }
                    waiters.received(n);
                }
            }

            @Override
            public void onAllDataRead() throws IOException {
                answer(response, Waiters.ANSWER);
                async.complete();
            }

            @Override
            public void onError(Throwable problem) {
                async.complete();
            }
        });
    }

    private void download(HttpServletRequest request, HttpServletResponse response) throws IOException {
        AsyncContext async = begin(request);
        response.setContentLength(Waiters.DOWNLOAD);
        ServletOutputStream out = response.getOutputStream();
        waiters.downloadBegins();
        out.setWriteListener(new WriteListener() {
            private int left = Waiters.DOWNLOAD;

            @Override
            public void onWritePossible() throws IOException {
                while (out.isReady()) {
                    if (left == 0) {
                        waiters.downloadEnds();
                        async.complete();
                        return;
                    }
                    out.write(Waiters.PART);
                    left -= Waiters.PART.length;
                }
            }

            @Override
            public void onError(Throwable problem) {
                async.complete();
            }
        });
    }
}
