// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.adapters;

// tag::undertow-https
import dev.buffers.undertow.UndertowBufferPool;
import io.undertow.Undertow;
import io.undertow.UndertowOptions;
import io.undertow.server.HttpHandler;
import java.io.IOException;
import java.net.InetSocketAddress;
import javax.net.ssl.SSLContext;
import org.xnio.OptionMap;
import org.xnio.channels.AcceptingChannel;
import org.xnio.ssl.SslConnection;

/** Undertow over TLS, with HTTP/1.1 and HTTP/2. */
public final class HttpsServer implements AutoCloseable {
    private final Undertow server;
    private final AcceptingChannel<SslConnection> listener;

    public HttpsServer(UndertowBufferPool pool, InetSocketAddress address, SSLContext context, HttpHandler handler)
            throws IOException {
        server = Undertow.builder().setByteBufferPool(pool).build();
        server.start();
        listener = pool.addHttpsListener(
                server, address, context, handler, OptionMap.create(UndertowOptions.ENABLE_HTTP2, true));
    }

    public InetSocketAddress address() {
        return listener.getLocalAddress(InetSocketAddress.class);
    }

    @Override
    public void close() { // before the pool is closed
        server.stop();
    }
}
// end::undertow-https
