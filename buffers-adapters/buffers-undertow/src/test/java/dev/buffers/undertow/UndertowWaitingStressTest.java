// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.undertow;

import dev.buffers.adapters.Protocol;
import dev.buffers.adapters.ServerUnderTest;
import dev.buffers.adapters.Stamps;
import dev.buffers.adapters.WaitingStressContract;
import io.undertow.Handlers;
import io.undertow.io.IoCallback;
import io.undertow.io.Sender;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.handlers.BlockingHandler;
import io.undertow.server.protocol.http2.Http2ServerConnection;
import io.undertow.util.SameThreadExecutor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Tag;

/**
 * The stress on Undertow's handlers, which know no time that an answer may take: they have no {@link Stamps.Way#LATE}. Over HTTP/2 no thread
 * waits in a read: one whose connection had ended was not woken within ten minutes, on Undertow's own buffers. And there no thread but the
 * connection's writes, as {@link UndertowBufferPool} says.
 */
@Tag("full")
class UndertowWaitingStressTest extends WaitingStressContract {
    @Override
    protected ServerUnderTest start(Path folder, SSLContext tls, Buffers buffers, Stamps stamps) throws Exception {
        return new UndertowServer(
                folder,
                tls,
                Optional.empty(),
                buffers::settings,
                handler -> releasing(buffers, Handlers.path(handler).addPrefixPath(Stamps.PREFIX, stamped(stamps))),
                buffers != Buffers.OWN);
    }

    private static HttpHandler releasing(Buffers buffers, HttpHandler handler) {
        return buffers == Buffers.OWN ? handler : new ReleasingHandler(handler);
    }

    @Override
    protected List<Stamps.Way> ways(Protocol protocol) {
        List<Stamps.Way> ways = new ArrayList<>(super.ways(protocol));
        ways.remove(Stamps.Way.LATE);
        if (protocol == Protocol.HTTP2) {
            ways.removeAll(List.of(Stamps.Way.ECHO, Stamps.Way.BLOCKING_UPLOAD));
        }
        return ways;
    }

    private static HttpHandler stamped(Stamps stamps) {
        HttpHandler blocking = new BlockingHandler(exchange -> {
            byte stamp = stamp(exchange);
            int length = stamps.read(exchange.getInputStream(), stamp);
            exchange.setResponseContentLength(length);
            for (int left = length; left > 0; left -= Stamps.part(stamp).length) {
                exchange.getOutputStream().write(Stamps.part(stamp), 0, Math.min(left, Stamps.part(stamp).length));
            }
        });
        return exchange -> {
            byte stamp = stamp(exchange);
            Stamps.Way way = Stamps.way(exchange.getRequestURI());
            switch (way) {
                case ECHO, BLOCKING_UPLOAD -> blocking.handleRequest(exchange);
                case EVENTS ->
                    exchange.dispatch(
                            SameThreadExecutor.INSTANCE,
                            () -> new Events(stamps, stamp).next(exchange, exchange.getResponseSender()));
                case POLL ->
                    exchange.dispatch(
                            SameThreadExecutor.INSTANCE,
                            () -> later(stamps, exchange, () -> new Answer(stamp, Stamps.length(way)).begin(exchange)));
                case UPLOAD -> upload(exchange, stamp, stamps);
                case DOWNLOAD -> new Answer(stamp, Stamps.length(way)).begin(exchange);
                default -> throw new IllegalStateException("way=" + way);
            }
        };
    }

    /** On a thread of the application, but over HTTP/2 on the connection's, as {@link UndertowBufferPool} says. */
    private static void later(Stamps stamps, HttpServerExchange exchange, Runnable task) {
        boolean http2 = exchange.getConnection() instanceof Http2ServerConnection;
        stamps.later(http2 ? () -> exchange.getIoThread().execute(task) : task);
    }

    private static byte stamp(HttpServerExchange exchange) {
        return Stamps.stamp(exchange.getRequestURI());
    }

    private static void upload(HttpServerExchange exchange, byte stamp, Stamps stamps) {
        int[] length = new int[1];
        exchange.getRequestReceiver().receivePartialBytes((same, bytes, last) -> {
            stamps.check(stamp, bytes, 0, bytes.length, "upload");
            length[0] += bytes.length;
            if (last) {
                new Answer(stamp, length[0]).begin(same);
            }
        });
    }

    /** An answer that is sent part by part. */
    private static final class Answer implements IoCallback {
        private final byte stamp;
        private int left;

        Answer(byte stamp, int length) {
            this.stamp = stamp;
            this.left = length;
        }

        void begin(HttpServerExchange exchange) {
            exchange.setResponseContentLength(left);
            onComplete(exchange, exchange.getResponseSender());
        }

        @Override
        public void onComplete(HttpServerExchange exchange, Sender sender) {
            if (left == 0) {
                exchange.endExchange();
                return;
            }
            int length = Math.min(left, Stamps.part(stamp).length);
            left -= length;
            sender.send(ByteBuffer.wrap(Stamps.part(stamp), 0, length), this);
        }

        @Override
        public void onException(HttpServerExchange exchange, Sender sender, IOException problem) {
            exchange.endExchange();
        }
    }

    /** Some events, one after the other. */
    private static final class Events implements IoCallback {
        private final Stamps stamps;
        private final byte stamp;
        private int left = 1 + ThreadLocalRandom.current().nextInt(6);

        Events(Stamps stamps, byte stamp) {
            this.stamps = stamps;
            this.stamp = stamp;
        }

        void next(HttpServerExchange exchange, Sender sender) {
            left--;
            later(
                    stamps,
                    exchange,
                    () -> sender.send(ByteBuffer.wrap(Stamps.part(stamp), 0, Stamps.eventBytes()), this));
        }

        @Override
        public void onComplete(HttpServerExchange exchange, Sender sender) {
            if (left == 0) {
                exchange.endExchange();
            } else {
                next(exchange, sender);
            }
        }

        @Override
        public void onException(HttpServerExchange exchange, Sender sender, IOException problem) {
            exchange.endExchange();
        }
    }
}
