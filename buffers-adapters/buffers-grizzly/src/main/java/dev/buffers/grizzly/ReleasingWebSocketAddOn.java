// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.grizzly;

import java.io.IOException;
import org.glassfish.grizzly.Buffer;
import org.glassfish.grizzly.filterchain.FilterChainContext;
import org.glassfish.grizzly.filterchain.NextAction;
import org.glassfish.grizzly.http.HttpContent;
import org.glassfish.grizzly.websockets.WebSocketAddOn;
import org.glassfish.grizzly.websockets.WebSocketFilter;
import org.glassfish.grizzly.websockets.WebSocketHolder;
import org.jspecify.annotations.Nullable;

/**
 * Grizzly's web sockets, which by themselves drop every buffer with a frame, or with a part of one: in the place of {@link WebSocketAddOn}.
 *
 * <p><b>Source.</b> {@code BaseWebSocketFilter.handleRead} of Grizzly 4.0.2.
 */
public final class ReleasingWebSocketAddOn extends WebSocketAddOn {
    /** With the time-outs of {@link WebSocketAddOn}. */
    public ReleasingWebSocketAddOn() {}

    @Override
    protected WebSocketFilter createWebSocketFilter() {
        return new Frames(getTimeoutInSeconds());
    }

    private static final class Frames extends WebSocketFilter {
        Frames(long timeout) {
            super(timeout);
        }

        @Override
        public NextAction handleRead(FilterChainContext context) throws IOException {
            WebSocketHolder holder = WebSocketHolder.get(context.getConnection());
            if (holder == null || holder.webSocket == null || !holder.webSocket.isConnected()) {
                return super.handleRead(context);
            }
            Buffer read = ((HttpContent) context.getMessage()).getContent();
            Leftovers leftovers = Leftovers.of(context.getConnection());
            if (!leftovers.beginRead()) {
                read.tryDispose();
                return context.getStopAction();
            }
            try {
                Buffer incomplete = holder.buffer;
                NextAction action = super.handleRead(context);
                if (holder.buffer == null) { // all frames have been copied
                    release(read, incomplete);
                }
                return action;
            } finally {
                leftovers.keep(holder.buffer); // the codec keeps nothing once there is a web socket
                leftovers.onComplete(context);
            }
        }

        @Override
        public NextAction handleClose(FilterChainContext context) throws IOException {
            try {
                return super.handleClose(context);
            } finally {
                Leftovers.of(context.getConnection()).close();
            }
        }

        /** One of the two may have become a part of the other, if that is a composite, which then disposes of both. */
        private static void release(Buffer read, @Nullable Buffer incomplete) {
            if (incomplete != null && incomplete.isComposite()) {
                incomplete.tryDispose();
                GrizzlyBuffer.disposeIfOpen(read);
            } else {
                if (read.isComposite()) {
                    read.tryDispose();
                } else {
                    GrizzlyBuffer.disposeIfOpen(read);
                }
                GrizzlyBuffer.disposeIfOpen(incomplete);
            }
        }
    }
}
