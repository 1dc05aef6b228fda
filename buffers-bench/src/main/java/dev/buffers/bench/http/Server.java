package dev.buffers.bench.http;

import dev.buffers.bench.net.LoopbackServer;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/** A running web server, whatever its threads are. It does not close its source. */
public abstract class Server extends LoopbackServer<SocketChannel, Connection> {
    private final ServerOptions options;
    private final BufferSource source;
    private final List<Site> sites = new ArrayList<>();

    Server(ServerOptions options, BufferSource source) throws IOException {
        super(Listener.blocking(options.port()));
        this.options = options;
        this.source = source;
        DocumentRoot root = new DocumentRoot(options.root());
        for (int i = 0; i < options.workers(); i++) {
            sites.add(new Site(root));
        }
    }

    /** Makes a connection that its thread has to end. */
    final Connection connect(SocketChannel channel, Site site) {
        Connection connection = new Connection(this, site, channel, source.connection());
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

    /** As many as there are workers. */
    final List<Site> sites() {
        return sites;
    }
}
