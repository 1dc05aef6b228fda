package dev.buffers.bench.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One client's connection on a thread of its own: the same requests and responses as {@link Connection}, in blocking calls. */
final class BlockingConnection implements Runnable {
    private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final VirtualHttpServer server;
    private final SharedSite site;
    private final SocketChannel channel;
    private final ConnectionBuffers buffers;
    private final RequestParser parser;
    private final HttpDate date = new HttpDate();
    private boolean unread;
    private int served;
    private volatile long deadline;

    BlockingConnection(VirtualHttpServer server, SharedSite site, SocketChannel channel, ConnectionBuffers buffers) {
        this.server = server;
        this.site = site;
        this.channel = channel;
        this.buffers = buffers;
        this.parser = new RequestParser(server.options().headLimit());
        waitAtMost(server.options().idleTimeout().toNanos());
    }

    @Override
    public void run() {
        try (channel;
                buffers) {
            while (true) {
                Response response = next();
                if (response == null) {
                    break;
                }
                send(response);
                server.served();
                if (!response.keepAlive()) {
                    linger();
                    break;
                }
            }
        } catch (IOException e) {
            // the client's end of the socket, or overdue: nobody is left to tell
        } catch (RuntimeException | Error e) {
            server.failed(e);
        } finally {
            server.closed(this);
        }
    }

    /** Ends it when no thread could be started to do so. */
    void end() throws IOException {
        try (channel;
                buffers) {
            server.closed(this);
        }
    }

    /** What to answer to the next request; null when the client has closed. */
    private @Nullable Response next() throws IOException {
        Response response = unread ? parse() : null;
        while (response == null) {
            int n = buffers.readFrom(channel);
            if (n == ConnectionBuffers.NO_ROOM) {
                throw new IllegalStateException("no buffer to read into");
            }
            if (n < 0) {
                return null;
            }
            response = parse();
        }
        waitAtMost(server.options().idleTimeout().toNanos());
        return response;
    }

    private @Nullable Response parse() {
        ByteBuffer in = buffers.input().flip();
        Response response = null;
        try {
            Request request = parser.next(in);
            if (request != null) {
                boolean last = ++served >= server.options().maxRequests() || request.contentLength() > 0;
                response = site.answer(request, last);
            }
        } catch (Refusal refusal) {
            response = Response.ofError(refusal.status(), "", true, false);
        }
        if (response != null && !response.keepAlive()) {
            in.position(in.limit());
        }
        in.compact();
        unread = in.position() > 0;
        if (!unread) {
            buffers.idle();
        }
        return response;
    }

    private void send(Response response) throws IOException {
        try {
            while (!response.isFilled()) {
                ByteBuffer room = buffers.room();
                if (room == null) {
                    throw new IllegalStateException("no buffer to write from");
                }
                response.fill(room, date);
                buffers.send();
                while (!buffers.writeTo(channel)) {
                    waitAtMost(server.options().idleTimeout().toNanos());
                }
            }
        } finally {
            site.end(response);
        }
    }

    /** Closing a socket that holds unread bytes resets it, and the client may lose the response. */
    private void linger() throws IOException {
        waitAtMost(LINGER_NANOS);
        channel.shutdownOutput();
        while (buffers.readFrom(channel) >= 0) {
            buffers.input().clear();
        }
    }

    private void waitAtMost(long nanos) {
        deadline = System.nanoTime() + nanos;
    }

    /** Closes the connection if it has waited too long; its thread then sees to the rest. Called by any thread. */
    void closeIfOverdue(long now) throws IOException {
        if (now - deadline > 0) {
            channel.close();
        }
    }

    /** Called by any thread. */
    void stop() throws IOException {
        channel.close();
    }
}
