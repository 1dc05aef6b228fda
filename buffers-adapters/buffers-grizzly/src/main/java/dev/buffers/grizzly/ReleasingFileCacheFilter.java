// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.grizzly;

import java.io.IOException;
import org.glassfish.grizzly.filterchain.FilterChainContext;
import org.glassfish.grizzly.filterchain.NextAction;
import org.glassfish.grizzly.http.HttpContent;
import org.glassfish.grizzly.http.HttpRequestPacket;
import org.glassfish.grizzly.http.server.FileCacheFilter;
import org.glassfish.grizzly.http.server.filecache.FileCache;

/** Grizzly's file cache, which by itself drops the request that it answers, and with it the buffer that its header is in. */
final class ReleasingFileCacheFilter extends FileCacheFilter {
    ReleasingFileCacheFilter(FileCache cache) {
        super(cache);
    }

    @Override
    public NextAction handleRead(FilterChainContext context) throws IOException {
        if (!getFileCache().isEnabled()) {
            return super.handleRead(context);
        }
        HttpContent content = context.getMessage();
        Answered answered = new Answered((HttpRequestPacket) content.getHttpHeader());
        context.addCompletionListener(answered);
        NextAction action = super.handleRead(context);
        if (action == context.getInvokeAction()) { // not from the cache: who answers it ends it
            context.removeCompletionListener(answered);
        } else if (action == context.getStopAction()) { // all is written or queued: as after a handler
            context.removeCompletionListener(answered);
            answered.end();
        } else {
            answered.halfDone(); // another request may have the context by now
        }
        return action;
    }

    /** A request whose answer is being sent. It ends when that is complete and {@link #handleRead} has returned, whichever is later. */
    private static final class Answered implements FilterChainContext.CompletionListener {
        private final HttpRequestPacket request;
        private boolean half;

        Answered(HttpRequestPacket request) {
            this.request = request;
        }

        synchronized void halfDone() {
            if (half) {
                end();
            }
            half = true;
        }

        /** As {@code HttpServerFilter.afterService}. */
        void end() {
            request.getResponse().recycle();
            request.recycle();
        }

        @Override
        public void onComplete(FilterChainContext context) {
            halfDone();
        }
    }
}
