package dev.buffers.bench.sockets;

import dev.buffers.bench.net.AcceptLoop;
import dev.buffers.bench.net.ErrorLog;
import java.io.Closeable;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** Sends back whatever comes, through one buffer for each connection at a time. How it waits for bytes differs. */
abstract class EchoServer implements AutoCloseable {
    static final ErrorLog LOG = new ErrorLog(EchoServer.class);
    static final int BACKLOG = 1024;
    private static final long PATIENCE_SECONDS = 5;

    private final Set<Closeable> connections = ConcurrentHashMap.newKeySet();

    EchoServer() throws IOException {
        AcceptLoop.prepare();
    }

    abstract int port() throws IOException;

    /** Stops accepting. */
    abstract void closeListener() throws IOException;

    /** Stops the threads, once nothing is connected any more. */
    abstract void stop() throws IOException;

    void opened(Closeable connection) {
        connections.add(connection);
    }

    void closed(Closeable connection) {
        connections.remove(connection);
    }

    /** Connections open now. */
    int connections() {
        return connections.size();
    }

    /** An error of the server's own: its connection is closed, which the client does not forgive. */
    static void failed(Throwable e) {
        LOG.error("the server failed", e);
    }

    /** Drops all connections and waits until what they held is given back. */
    @Override
    public final void close() {
        try {
            closeListener();
            long patience = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
            while (!connections.isEmpty() && System.nanoTime() - patience < 0) {
                for (Closeable connection : connections) {
                    connection.close();
                }
                Thread.sleep(1);
            }
            stop();
        } catch (IOException e) {
            failed(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
