// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.frameworks;

import dev.buffers.bench.jvm.VirtualThreads;
import io.undertow.Handlers;
import io.undertow.UndertowOptions;
import io.undertow.io.IoCallback;
import io.undertow.io.Sender;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.handlers.sse.ServerSentEventHandler;
import io.undertow.util.SameThreadExecutor;
import io.undertow.websockets.core.AbstractReceiveListener;
import io.undertow.websockets.core.BufferedTextMessage;
import io.undertow.websockets.core.WebSocketChannel;
import io.undertow.websockets.core.WebSockets;
import io.undertow.websockets.extensions.PerMessageDeflateHandshake;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.xnio.OptionMap;
import org.xnio.Options;

/** Undertow for clients that wait. */
final class WaitingUndertow {
    private WaitingUndertow() {}

    static Embedded start(Way way, boolean ours, @Nullable Tls tls, Waiters waiters) throws IOException {
        OptionMap.Builder options = OptionMap.builder();
        if (way.isHttp2()) {
            options.set(UndertowOptions.ENABLE_HTTP2, true);
        }
        if (way == Way.DOWNLOAD) {
            options.set(Options.SEND_BUFFER, Waiters.SEND_BUFFER);
        }
        return EmbeddedUndertow.start(handler(way, waiters), ours, tls, options);
    }

    private static HttpHandler handler(Way way, Waiters waiters) {
        HttpHandler upload = way == Way.UPLOAD_BLOCKING ? blocking(waiters) : exchange -> upload(exchange, waiters);
        return Handlers.path(exchange -> exchange.getResponseSender().send(ByteBuffer.wrap(Waiters.ANSWER)))
                .addExactPath(Waiters.EVENTS, events(waiters))
                .addExactPath(
                        Waiters.POLL,
                        exchange -> exchange.dispatch(
                                SameThreadExecutor.INSTANCE, () -> waiters.add(exchange.getResponseSender()::send)))
                .addExactPath(Waiters.UPLOAD, upload)
                .addExactPath(Waiters.LARGE, exchange -> {
                    exchange.setResponseContentLength(Waiters.DOWNLOAD);
                    waiters.downloadBegins();
                    new Download(waiters).send(exchange.getResponseSender());
                })
                .addExactPath(Waiters.SOCKET, socket());
    }

    private static HttpHandler events(Waiters waiters) {
        return new ServerSentEventHandler((connection, last) -> {
            connection.send(Waiters.FIRST);
            waiters.add(text -> {
                connection.send(text);
                connection.shutdown();
            });
        });
    }

    private static void upload(HttpServerExchange exchange, Waiters waiters) {
        exchange.getRequestReceiver().receivePartialBytes((same, bytes, last) -> {
            waiters.received(bytes.length);
            if (last) {
                same.getResponseSender().send(ByteBuffer.wrap(Waiters.ANSWER));
            }
        });
    }

    private static HttpHandler blocking(Waiters waiters) {
        var threads = VirtualThreads.factory();
        Executor executor = task -> threads.newThread(task).start();
        HttpHandler read = exchange -> {
            exchange.startBlocking();
            byte[] part = new byte[1 << 10];
            InputStream in = exchange.getInputStream();
            for (int n = in.read(part); n >= 0; n = in.read(part)) {
                waiters.received(n);
            }
            exchange.getOutputStream().write(Waiters.ANSWER);
            exchange.endExchange();
        };
        return exchange -> exchange.dispatch(executor, read);
    }

    private static HttpHandler socket() {
        return Handlers.websocket((exchange, channel) -> {
                    channel.getReceiveSetter().set(new Echo());
                    channel.resumeReceives();
                })
                .addExtension(new PerMessageDeflateHandshake());
    }

    /** Sends one part after the other. */
    private static final class Download implements IoCallback {
        private final Waiters waiters;
        private int left = Waiters.DOWNLOAD;

        Download(Waiters waiters) {
            this.waiters = waiters;
        }

        void send(Sender sender) {
            left -= Waiters.PART.length;
            sender.send(ByteBuffer.wrap(Waiters.PART), this);
        }

        @Override
        public void onComplete(HttpServerExchange exchange, Sender sender) {
            if (left > 0) {
                send(sender);
            } else {
                waiters.downloadEnds();
                exchange.endExchange();
            }
        }

        @Override
        public void onException(HttpServerExchange exchange, Sender sender, IOException problem) {
            exchange.endExchange();
        }
    }

    /** Sends each text back. */
    private static final class Echo extends AbstractReceiveListener {
        @Override
        protected void onFullTextMessage(WebSocketChannel channel, BufferedTextMessage message) {
            WebSockets.sendText(message.getData(), channel, null);
        }
    }
}
