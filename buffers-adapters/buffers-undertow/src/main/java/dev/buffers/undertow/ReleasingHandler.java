// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.undertow;

import io.undertow.connector.PooledByteBuffer;
import io.undertow.server.AbstractServerConnection;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.Headers;
import io.undertow.util.ImmediatePooledByteBuffer;
import io.undertow.util.Methods;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * Put this around a server's handlers: {@code Undertow.builder().setHandler(new ReleasingHandler(handler))}. An upgrade then costs no
 * buffer, and a request that came together with the one before reads no other connection's bytes.
 *
 * <p>What a client sends in one packet behind a request, such as the next request, or the first frame of a web socket, stays in the buffer
 * of that request. Undertow forgets that buffer when the connection ends before the new protocol has read it. And if the client vanishes,
 * one thread closes the buffers of the next request while another one still uses them: the pool's next holder writes into them then. This
 * handler puts these bytes into an array and closes the buffer: for an upgrade when the request comes, otherwise when it has ended. If the
 * connection is closed by then, it drops them, and no other request begins.
 * Listeners that {@link UndertowBufferPool#addHttpsListener} opens have this handler already.
 *
 * <p><b>Threads.</b> Any. <b>Cost.</b> A look at the request's headers, and a listener if there are bytes behind them; where bytes stay, a
 * copy of them.
 *
 * <p><b>Source.</b> {@code HttpReadListener.exchangeComplete}, {@code AbstractServerConnection.CloseSetter} and {@code
 * AbstractFramedChannel}, which takes the place of the connection's close listener, of Undertow 2.4 and 2.3.
 */
public final class ReleasingHandler implements HttpHandler {
    private final HttpHandler next;

    /**
     * Around another handler.
     *
     * @param next what handles each request
     */
    public ReleasingHandler(HttpHandler next) {
        this.next = Objects.requireNonNull(next, "next");
    }

    @Override
    public void handleRequest(HttpServerExchange exchange) throws Exception {
        if (exchange.getConnection() instanceof AbstractServerConnection connection) {
            boolean leavesHttp = exchange.getRequestHeaders().contains(Headers.UPGRADE)
                    || exchange.getRequestMethod().equals(Methods.CONNECT);
            if (leavesHttp) {
                releaseEarly(connection);
            } else if (!exchange.isRequestComplete() || connection.getExtraBytes() != null) {
                exchange.addExchangeCompleteListener((ended, next) -> {
                    try {
                        releaseEarly(connection);
                    } finally {
                        next.proceed(); // from here on another thread may read the rest
                    }
                });
            }
        }
        next.handleRequest(exchange);
    }

    private static PooledByteBuffer copy(ByteBuffer bytes) {
        return new ImmediatePooledByteBuffer(
                ByteBuffer.allocate(bytes.remaining()).put(bytes).flip());
    }

    /**
     * A closed connection begins no other request: the thread that is closing it would end that one, too. It may have closed the buffer while
     * we copied, so the connection is asked afterwards.
     */
    private static void releaseEarly(AbstractServerConnection connection) {
        PooledByteBuffer early = connection.getExtraBytes();
        if (early != null) {
            PooledByteBuffer kept = early instanceof ImmediatePooledByteBuffer ? early : copy(early.getBuffer());
            boolean open = connection.isOpen();
            connection.setExtraBytes(open ? kept : null);
            if (kept != early || !open) {
                early.close();
            }
        }
    }
}
