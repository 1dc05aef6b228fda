package dev.buffers.bench.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One client's connection, driven by its worker: reads a request, sends the response, and again. */
final class Connection {
    /*
     * read -> send -> (skip the request's body) -> read ...        and after the last response: linger -> closed
     *
     * Memory. A quiet connection holds none, and a busy one needs one buffer at a time: when a question is read, its buffer goes back
     * before one for the answer is asked for. Who has to wait for a buffer holds none meanwhile: what came along with the question,
     * the beginning of further ones, is set aside on the heap, less than a buffer's worth. So nobody waits for somebody who waits,
     * and a single buffer is enough for the whole server to go on, slowly.
     *
     * Lingering. Closing a socket that holds unread bytes resets it, and the client may lose the response: so the output is shut
     * down, and what still comes is thrown away until the client closes or a short time has passed (RFC 9112 section 9.6).
     *
     * Fairness. After a few turns a busy connection stands back: its interest in writing brings it to its next turn.
     */

    private static final int TURNS = 16;
    private static final int BUFFERS_AHEAD = 4;
    private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** What a connection waits for. */
    private enum Next {
        ANOTHER_TURN,
        INPUT,
        OUTPUT,
        ROOM,
        CLOSE
    }

    private final Worker worker;
    private final SocketChannel channel;
    private final SelectionKey key;
    private final ConnectionBuffers buffers;
    private final RequestParser parser;
    private @Nullable Response response;
    private boolean unread;
    private byte @Nullable [] aside;
    private long bodyToSkip;
    private int served;
    private boolean lingering;
    private boolean closed;
    private long deadline;

    Connection(Worker worker, SocketChannel channel, SelectionKey key, ConnectionBuffers buffers) {
        this.worker = worker;
        this.channel = channel;
        this.key = key;
        this.buffers = buffers;
        this.parser = new RequestParser(worker.options().headLimit());
        waitAtMost(worker.options().idleTimeout().toNanos());
    }

    /** Goes on as far as it can, then says what it waits for. */
    void proceed() throws IOException {
        Next next = Next.ANOTHER_TURN;
        for (int turn = 0; turn < TURNS && next == Next.ANOTHER_TURN; turn++) {
            next = turn();
        }
        switch (next) {
            case INPUT -> interest(SelectionKey.OP_READ);
            case OUTPUT, ANOTHER_TURN -> interest(SelectionKey.OP_WRITE);
            case ROOM -> {
                if (key.interestOps() != 0) {
                    waitAtMost(worker.options().idleTimeout().toNanos());
                }
                interest(0);
                setAside();
                worker.hold(this);
            }
            case CLOSE -> close();
        }
    }

    private Next turn() throws IOException {
        if (lingering) {
            return linger();
        }
        if (response != null) {
            return send(response);
        }
        return bodyToSkip > 0 ? skipBody() : read();
    }

    private Next read() throws IOException {
        if (!unread && (worker.mustQueue() || !takeUp())) {
            return Next.ROOM;
        }
        if (unread && parse()) {
            return Next.ANOTHER_TURN;
        }
        int n = buffers.readFrom(channel);
        unread |= n > 0;
        if (n > 0 && parse()) {
            return Next.ANOTHER_TURN;
        }
        if (!unread) {
            buffers.idle();
        }
        return switch (n) {
            case ConnectionBuffers.NO_ROOM -> Next.ROOM;
            case -1 -> Next.CLOSE;
            default -> Next.INPUT;
        };
    }

    private void setAside() {
        if (unread) {
            ByteBuffer in = buffers.input().flip();
            aside = new byte[in.remaining()];
            in.get(aside).clear();
            unread = false;
            buffers.idle();
        }
    }

    /** Takes what was set aside back into the input: false at the cap. */
    private boolean takeUp() {
        if (aside == null) {
            return true;
        }
        if (!buffers.hasRoomForInput()) {
            return false;
        }
        buffers.input().put(aside);
        aside = null;
        unread = true;
        return true;
    }

    /** Takes the next request out of the input, if it is complete, and starts its response. */
    private boolean parse() {
        ByteBuffer in = buffers.input().flip();
        try {
            Request request = parser.next(in);
            if (request != null) {
                boolean last = ++served >= worker.options().maxRequests();
                response = worker.site().answer(request, last, worker.now());
                bodyToSkip = request.contentLength();
                int here = (int) Math.min(bodyToSkip, in.remaining());
                in.position(in.position() + here);
                bodyToSkip -= here;
            }
        } catch (Refusal refusal) {
            response = Response.ofError(refusal.status(), "", true, false);
        }
        if (response != null) {
            waitAtMost(worker.options().idleTimeout().toNanos());
            if (!response.keepAlive()) {
                in.position(in.limit());
            }
        }
        in.compact();
        unread = in.position() > 0;
        if (!unread) {
            buffers.idle();
        }
        return response != null;
    }

    private Next send(Response response) throws IOException {
        long before = buffers.queued();
        while (!response.isFilled() && before < BUFFERS_AHEAD * BufferSource.BUFFER_SIZE) {
            ByteBuffer room = buffers.room();
            if (room == null) {
                break;
            }
            response.fill(room, worker.date());
            buffers.send();
            before = buffers.queued();
        }
        if (before == 0) {
            return Next.ROOM;
        }
        boolean empty = buffers.writeTo(channel);
        if (buffers.queued() < before) {
            waitAtMost(worker.options().idleTimeout().toNanos());
        }
        if (!empty) {
            return Next.OUTPUT;
        }
        return response.isFilled() ? finish(response) : Next.ANOTHER_TURN;
    }

    private Next finish(Response response) throws IOException {
        response.close();
        this.response = null;
        worker.served();
        if (!response.keepAlive()) {
            aside = null;
            lingering = true;
            waitAtMost(LINGER_NANOS);
            channel.shutdownOutput();
            return Next.ANOTHER_TURN;
        }
        return unread || aside != null || bodyToSkip > 0 ? Next.ANOTHER_TURN : Next.INPUT;
    }

    private Next skipBody() throws IOException {
        ByteBuffer waste = worker.waste();
        waste.limit((int) Math.min(waste.capacity(), bodyToSkip));
        int n = channel.read(waste);
        bodyToSkip -= Math.max(0, n);
        return afterWaste(n);
    }

    private Next linger() throws IOException {
        return afterWaste(channel.read(worker.waste()));
    }

    private static Next afterWaste(int n) {
        return n < 0 ? Next.CLOSE : n == 0 ? Next.INPUT : Next.ANOTHER_TURN;
    }

    private void interest(int ops) {
        if (key.interestOps() != ops) {
            key.interestOps(ops);
        }
    }

    private void waitAtMost(long nanos) {
        deadline = worker.now() + nanos;
    }

    boolean isOverdue(long now) {
        return now - deadline > 0;
    }

    boolean isClosed() {
        return closed;
    }

    /** Ends the connection and gives everything back. May be called again. */
    void close() {
        if (closed) {
            return;
        }
        closed = true;
        worker.closed(this);
        try (channel;
                buffers) {
            if (response != null) {
                response.close();
                response = null;
            }
        } catch (IOException e) {
            // the socket's: the client will notice, and nothing of ours is left
        }
    }
}
