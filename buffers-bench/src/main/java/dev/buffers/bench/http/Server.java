// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.http;

import dev.buffers.bench.net.LoopbackServer;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLContext;

/** A running web server, whatever its threads are. It does not close its source. */
public abstract class Server extends LoopbackServer<SocketChannel, Connection> {
    private final ServerOptions options;
    private final BufferSource source;
    private final Site site;

    Server(ServerOptions options, BufferSource source) throws IOException {
        super(Listener.blocking(options.port()));
        this.options = options;
        this.source = source;
        this.site = new Site(options.root());
    }

    /** Makes a connection that its thread has to end. */
    final Connection connect(SocketChannel channel) {
        SSLContext tls = options.tls();
        SecureChannel secure = tls == null ? null : SecureChannel.over(channel, tls, source.pool());
        Connection connection = new Connection(this, channel, secure, source.connection());
        open().add(connection);
        return connection;
    }

    /** Ends a connection, whatever that throws. Called by its thread. */
    final void end(Connection connection) {
        try {
            connection.end();
        } catch (RuntimeException | Error e) {
            failed(e);
        } finally {
            open().remove(connection);
        }
    }

    final ServerOptions options() {
        return options;
    }

    final BufferSource source() {
        return source;
    }

    final Site site() {
        return site;
    }
}
