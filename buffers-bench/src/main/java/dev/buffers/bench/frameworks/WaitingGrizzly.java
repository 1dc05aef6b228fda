// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.frameworks;

import dev.buffers.grizzly.ReleasingAddOn;
import dev.buffers.grizzly.ReleasingWebSocketAddOn;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.glassfish.grizzly.ReadHandler;
import org.glassfish.grizzly.http.io.NIOInputStream;
import org.glassfish.grizzly.http.server.HttpHandler;
import org.glassfish.grizzly.http.server.NetworkListener;
import org.glassfish.grizzly.http.server.Request;
import org.glassfish.grizzly.http.server.Response;
import org.glassfish.grizzly.http2.Http2AddOn;
import org.glassfish.grizzly.websockets.WebSocket;
import org.glassfish.grizzly.websockets.WebSocketAddOn;
import org.glassfish.grizzly.websockets.WebSocketApplication;
import org.glassfish.grizzly.websockets.WebSocketEngine;
import org.jspecify.annotations.Nullable;

/** Grizzly for clients that wait. */
final class WaitingGrizzly {
    private WaitingGrizzly() {}

    static Embedded start(Way way, boolean ours, @Nullable Tls tls, Waiters waiters) throws IOException {
        WebSocketEngine.getEngine().register("", Waiters.SOCKET, new Echo());
        boolean blocking = way == Way.UPLOAD_BLOCKING;
        return EmbeddedGrizzly.start(new Handler(waiters, blocking), blocking, ours, tls, (listener, memory) -> {
            if (way == Way.WEBSOCKET) {
                listener.registerAddOn(memory == null ? new WebSocketAddOn() : new ReleasingWebSocketAddOn());
            }
            if (way.isHttp2()) {
                listener.registerAddOn(new Http2AddOn());
            }
            if (memory != null) {
                listener.registerAddOn(new ReleasingAddOn());
            }
            limit(listener, way);
        });
    }

    private static void limit(NetworkListener listener, Way way) {
        if (way == Way.DOWNLOAD) {
            listener.getTransport().setWriteBufferSize(Waiters.SEND_BUFFER);
        }
    }

    /** Answers, now or later. */
    private static final class Handler extends HttpHandler {
        private final Waiters waiters;
        private final boolean blocking;

        Handler(Waiters waiters, boolean blocking) {
            this.waiters = waiters;
            this.blocking = blocking;
        }

        @Override
        public void service(Request request, Response response) throws IOException {
            switch (request.getRequestURI()) {
                case Waiters.EVENTS -> {
                    response.suspend();
                    response.setContentType("text/event-stream");
                    send(response, Waiters.FIRST);
                    waiters.add(text -> {
                        send(response, text);
                        response.resume();
                    });
                }
                case Waiters.POLL -> {
                    response.suspend();
                    waiters.add(text -> end(response, text.getBytes(StandardCharsets.US_ASCII)));
                }
                case Waiters.UPLOAD -> upload(request, response);
                default -> answer(response, Waiters.ANSWER);
            }
        }

        private static void send(Response response, String text) throws IOException {
            response.getOutputStream().write(Waiters.event(text));
            response.getOutputStream().flush();
        }

        private static void answer(Response response, byte[] body) throws IOException {
            response.setContentLength(body.length);
            response.getOutputStream().write(body);
        }

        private static void end(Response response, byte[] body) throws IOException {
            answer(response, body);
            response.resume();
        }

        private void upload(Request request, Response response) throws IOException {
            byte[] part = new byte[1 << 10];
            if (blocking) {
                InputStream in = request.getInputStream();
                for (int n = in.read(part); n >= 0; n = in.read(part)) {
                    waiters.received(n);
                }
                answer(response, Waiters.ANSWER);
                return;
            }
            response.suspend();
            NIOInputStream in = request.getNIOInputStream();
            in.notifyAvailable(new ReadHandler() {
                @Override
                public void onDataAvailable() throws IOException {
                    take();
                    in.notifyAvailable(this);
                }

                private void take() throws IOException {
                    while (in.isReady()) {
                        waiters.received(in.skip(in.readyData()));
                    }
                }

                @Override
                public void onAllDataRead() throws IOException {
                    take();
                    end(response, Waiters.ANSWER);
                }

                @Override
                public void onError(Throwable problem) {
                    response.resume();
                }
            });
        }
    }

    /** Sends each text back. */
    private static final class Echo extends WebSocketApplication {
        @Override
        @SuppressWarnings("FutureReturnValueIgnored") // a client that gets no echo fails the measurement
        public void onMessage(WebSocket socket, String text) {
            socket.send(text);
        }
    }
}
