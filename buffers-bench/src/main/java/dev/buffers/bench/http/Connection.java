// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.http;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One client's connection: reads a request, sends the response, and again. Its thread gives it its turns: a worker, when its channel is
 * ready, or a separate virtual thread, whose channel waits.
 */
final class Connection implements Closeable {
    /*
     * read -> send -> (skip the request's body) -> read ...        and after the last response: linger -> closed
     *
     * Memory. A quiet connection holds none, and a busy one needs one buffer at a time: when a question is read, its buffer goes back
     * before one for the answer is asked for. A connection that waits for a buffer holds none: the bytes after the question, the
     * beginning of further ones, are set aside on the heap, less than a buffer's worth. So no connection waits for one that waits
     * itself, and a single buffer is enough for the whole server to go on, slowly.
     *
     * Lingering. Closing a socket that holds unread bytes resets it, and the client may lose the response: so the output is shut
     * down, and further input is thrown away until the client closes or a short time has passed (RFC 9112 section 9.6).
     *
     * TLS. Bytes may be left inside the channel, in either direction: so the channel says what to wait for. While it lingers, the
     * connection throws away encrypted bytes.
     */

    private static final int BUFFERS_AHEAD = 4;
    private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final RequestParser PARSER = new RequestParser(BufferSource.BUFFER_SIZE);

    /** For unwanted bytes: all connections overwrite it, and none reads its content. */
    private static final ByteBuffer WASTE = ByteBuffer.allocateDirect(BufferSource.BUFFER_SIZE);

    /** What a connection waits for. */
    enum Next {
        ANOTHER_TURN,
        INPUT,
        OUTPUT,
        ROOM,
        CLOSE
    }

    private final Server server;
    private final SocketChannel channel;
    private final @Nullable SecureChannel secure;
    private final ConnectionBuffers buffers;
    private @Nullable Response response;
    private boolean unread;
    private byte @Nullable [] aside;
    private long bodyToSkip;
    private int served;
    private boolean lingering;
    private volatile long deadline;

    /** With TLS when there is a channel for it. */
    Connection(Server server, SocketChannel channel, @Nullable SecureChannel secure, ConnectionBuffers buffers) {
        this.server = server;
        this.channel = channel;
        this.secure = secure;
        this.buffers = buffers;
        waitAnew();
    }

    /**
     * Goes on a little, and says what to wait for.
     *
     * @param first whether no other connection waits for room before this one
     */
    Next turn(boolean first) throws IOException {
        if (lingering) {
            return waste(channel, WASTE.duplicate());
        }
        if (secure == null) {
            return step(first);
        }
        Next next = secure.flush() ? step(first) : Next.OUTPUT;
        return next == Next.INPUT || next == Next.OUTPUT ? secure.next() : next;
    }

    private Next step(boolean first) throws IOException {
        if (response != null) {
            return send(response);
        }
        return bodyToSkip > 0 ? skipBody() : read(first);
    }

    private Next read(boolean first) throws IOException {
        if (!unread) {
            if (!first || !buffers.takeInput()) {
                return Next.ROOM;
            }
            if (aside != null) {
                buffers.input().put(aside);
                aside = null;
                unread = true;
            }
        }
        if (unread && parse()) {
            return Next.ANOTHER_TURN;
        }
        int n = buffers.readFrom(secure == null ? channel : secure);
        if (n > 0) {
            unread = true;
            if (parse()) {
                return Next.ANOTHER_TURN;
            }
        }
        if (!unread) {
            buffers.idle();
        }
        return n < 0 ? Next.CLOSE : Next.INPUT;
    }

    /** Gives the input back, to wait for room, and keeps the unread bytes. */
    void setAside() {
        if (unread) {
            ByteBuffer in = buffers.input().flip();
            aside = new byte[in.remaining()];
            in.get(aside).clear();
            unread = false;
            buffers.idle();
        }
    }

    /** Takes the next request out of the input, if it is complete, and starts its response. */
    private boolean parse() {
        ByteBuffer in = buffers.input().flip();
        try {
            Request request = PARSER.next(in);
            if (request != null) {
                boolean last = ++served >= server.options().maxRequests();
                response = server.site().answer(request, last);
                bodyToSkip = request.contentLength();
                int here = (int) Math.min(bodyToSkip, in.remaining());
                in.position(in.position() + here);
                bodyToSkip -= here;
            }
        } catch (Refusal refusal) {
            response = Site.refuse(refusal.status());
        }
        if (response != null) {
            waitAnew();
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
        while (!response.isFilled() && before < BUFFERS_AHEAD * BufferSource.BUFFER_SIZE && buffers.send(response)) {
            before = buffers.queued();
        }
        if (before == 0 && !response.isFilled()) {
            return Next.ROOM;
        }
        boolean empty = secure == null
                ? buffers.writeTo(channel)
                : buffers.writeTo(secure) && secure.next() == Next.ANOTHER_TURN;
        if (buffers.queued() < before) {
            waitAnew();
        }
        if (!empty) {
            return Next.OUTPUT;
        }
        return response.isFilled() ? finish(response) : Next.ANOTHER_TURN;
    }

    private Next finish(Response response) throws IOException {
        this.response = null;
        if (!response.keepAlive()) {
            aside = null;
            lingering = true;
            waitAtMost(LINGER_NANOS);
            if (secure != null) {
                secure.shutdownOutput();
            }
            channel.shutdownOutput();
            return Next.ANOTHER_TURN;
        }
        return unread || aside != null || bodyToSkip > 0 ? Next.ANOTHER_TURN : Next.INPUT;
    }

    private Next skipBody() throws IOException {
        ByteBuffer waste = WASTE.duplicate();
        waste.limit((int) Math.min(waste.capacity(), bodyToSkip));
        Next next = waste(secure == null ? channel : secure, waste);
        bodyToSkip -= waste.position();
        return next;
    }

    private static Next waste(ReadableByteChannel source, ByteBuffer waste) throws IOException {
        int n = source.read(waste);
        return n < 0 ? Next.CLOSE : n == 0 ? Next.INPUT : Next.ANOTHER_TURN;
    }

    /** From now on it may be silent for as long as any connection. */
    void waitAnew() {
        waitAtMost(server.options().idleTimeout().toNanos());
    }

    private void waitAtMost(long nanos) {
        deadline = System.nanoTime() + nanos;
    }

    /** Called by any thread. */
    boolean isOverdue() {
        return System.nanoTime() - deadline > 0;
    }

    /** Ends the connection and gives everything back. Called by its thread, also again. */
    void end() {
        try (channel;
                secure) {
            buffers.close();
        } catch (IOException e) {
            // a failure of the socket: the client will notice, and none of our resources is left
        }
    }

    /** Has a thread that waits for the channel end it. Called by any thread. */
    @Override
    public void close() throws IOException {
        channel.close();
    }
}
