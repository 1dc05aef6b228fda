// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.grizzly;

import java.util.ArrayList;
import java.util.List;
import org.glassfish.grizzly.Buffer;
import org.glassfish.grizzly.Connection;
import org.glassfish.grizzly.Grizzly;
import org.glassfish.grizzly.attributes.Attribute;
import org.glassfish.grizzly.filterchain.FilterChainContext;
import org.glassfish.grizzly.http.HttpHeader;
import org.glassfish.grizzly.http.HttpPacket;
import org.glassfish.grizzly.memory.BufferArray;
import org.glassfish.grizzly.memory.MemoryManager;
import org.jspecify.annotations.Nullable;

/** The part of a connection's input that Grizzly's codec holds and would drop. Any thread. */
final class Leftovers implements FilterChainContext.CompletionListener {
    private static final Attribute<Leftovers> ATTRIBUTE =
            Grizzly.DEFAULT_ATTRIBUTE_BUILDER.createAttribute(Leftovers.class.getName(), Leftovers::new);

    /** Bytes that the codec or a web socket will get once more, with the next bytes before or behind them; no other code has them. */
    private @Nullable Buffer stored;

    private @Nullable HttpHeader request;
    private List<GrizzlyBuffer> header = List.of();

    /** A handler has the request, and disposes of its header. */
    private boolean received;

    /** The header of a request whose body cannot be read, and which no handler has got. */
    private List<GrizzlyBuffer> broken = List.of();

    /** Of HTTP/2, once its preface has come; null for HTTP/1.1. */
    private @Nullable Frames frames;

    /** Reads that are being processed, handlers' time included. */
    private int reads;

    private boolean closed;

    static Leftovers of(Connection<?> connection) {
        return ATTRIBUTE.get(connection);
    }

    /** False when nothing is to be processed any more: all of it has been disposed of. */
    synchronized boolean beginRead() {
        if (closed && reads == 0) {
            return false;
        }
        reads++;
        return true;
    }

    /** The end of a read. */
    @Override
    public void onComplete(FilterChainContext context) {
        endRead().dispose();
    }

    void close() {
        beginClose().dispose();
    }

    private synchronized Rest endRead() {
        reads--;
        return rest();
    }

    private synchronized Rest beginClose() {
        closed = true;
        return rest();
    }

    /** What nothing will read any more. It is disposed of without the lock, since a release may call wake-ups. */
    private record Rest(@Nullable Buffer stored, @Nullable Frames frames, List<GrizzlyBuffer> broken) {
        void dispose() {
            if (stored != null) {
                stored.tryDispose();
            }
            if (frames != null) {
                frames.dispose();
            }
            broken.forEach(GrizzlyBuffer::disposeIfOpen);
        }
    }

    private Rest rest() {
        if (!closed || reads > 0) {
            return new Rest(null, null, List.of());
        }
        Rest rest = new Rest(stored, frames, broken);
        stored = null;
        frames = null;
        broken = List.of();
        return rest;
    }

    /**
     * The bytes for the codec: all of HTTP/1.1, and of HTTP/2 whole frames; null when no frame is whole yet. For the thread that reads the
     * connection: a close leaves the frames alone until no read is being processed.
     *
     * @param between no request is being read
     */
    @Nullable Buffer input(MemoryManager<?> memory, Buffer read, boolean between) {
        Frames present = frames();
        if (present != null) {
            return present.whole(memory, read);
        }
        return between && Frames.beginWith(read) ? beginFrames().first(memory, read) : read;
    }

    private synchronized @Nullable Frames frames() {
        return frames;
    }

    private synchronized Frames beginFrames() {
        Frames begun = new Frames();
        frames = begun;
        return begun;
    }

    /** Keeps a buffer in place of the one before. */
    synchronized void keep(@Nullable Buffer next) {
        stored = next;
    }

    /** The kept buffer has become the header of {@code next}, which disposes of it unless {@code next} ends before its body does. */
    synchronized void headerOf(HttpHeader next) {
        request = next;
        received = false;
        header = stored == null ? List.of() : parts(stored);
        stored = null;
    }

    /** A handler gets the request. */
    synchronized void received(HttpHeader by) {
        received |= request == by;
    }

    /** Grizzly answers that request by itself, and closes the connection. */
    synchronized void broken(HttpPacket packet) {
        if (packet == request && !received) {
            broken = header;
            request = null;
            header = List.of();
        }
    }

    /**
     * Those buffers of an ended request's header that were ours, once; an idle connection then keeps neither them nor the request. A
     * composite is used again by Grizzly; its parts are not.
     */
    synchronized List<GrizzlyBuffer> takeHeader(HttpHeader of) {
        if (request != of) {
            return List.of(); // the connection's next request has come already
        }
        List<GrizzlyBuffer> taken = header;
        request = null;
        header = List.of();
        return taken;
    }

    private static List<GrizzlyBuffer> parts(Buffer whole) {
        List<GrizzlyBuffer> parts = new ArrayList<>(1);
        // A composite's bytes have been read by now: what remains of it would be none of its parts.
        BufferArray array = whole.isComposite() ? whole.toBufferArray(0, whole.capacity()) : whole.toBufferArray();
        for (int i = 0; i < array.size(); i++) {
            if (array.getArray()[i] instanceof GrizzlyBuffer part) {
                parts.add(part);
            }
        }
        array.restore();
        array.recycle();
        return parts;
    }
}
