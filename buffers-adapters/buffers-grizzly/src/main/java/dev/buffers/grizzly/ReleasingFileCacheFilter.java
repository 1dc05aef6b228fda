// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.grizzly;

import java.io.IOException;
import java.util.List;
import org.glassfish.grizzly.Buffer;
import org.glassfish.grizzly.filterchain.FilterChainContext;
import org.glassfish.grizzly.filterchain.NextAction;
import org.glassfish.grizzly.http.HttpContent;
import org.glassfish.grizzly.http.HttpHeader;
import org.glassfish.grizzly.http.HttpPacketParsing;
import org.glassfish.grizzly.http.HttpRequestPacket;
import org.glassfish.grizzly.http.server.FileCacheFilter;
import org.glassfish.grizzly.http.server.filecache.FileCache;
import org.glassfish.grizzly.memory.Buffers;

/**
 * Grizzly's file cache, which by itself drops the request that it answers, and with it the buffer that its header is in. A stream of HTTP/2
 * has its own bytes alone, and needs its request after the answer.
 */
final class ReleasingFileCacheFilter extends FileCacheFilter {
    ReleasingFileCacheFilter(FileCache cache) {
        super(cache);
    }

    @Override
    public NextAction handleRead(FilterChainContext context) throws IOException {
        HttpContent content = context.getMessage();
        if (!getFileCache().isEnabled() || !(content.getHttpHeader() instanceof HttpPacketParsing)) {
            return super.handleRead(context);
        }
        if (content.getHttpHeader().isSkipRemainder()) {
            return skip(context, content);
        }
        Answered answered = new Answered(content);
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

    /** Bytes of a request that has been answered, or after an upgrade that was not granted: Grizzly would answer it again. */
    private static NextAction skip(FilterChainContext context, HttpContent content) {
        HttpHeader request = content.getHttpHeader();
        bodyOf(content).tryDispose();
        if (request.isContentBroken() || request.isUpgrade()) { // the next request may begin anywhere
            request.getProcessingState().getHttpContext().close();
        }
        return context.getStopAction();
    }

    private static Buffer bodyOf(HttpContent content) {
        boolean broken = content.getHttpHeader().isContentBroken(); // then its content throws
        return broken ? Buffers.EMPTY_BUFFER : content.getContent();
    }

    /** A request whose answer is being sent. It ends when that is complete and {@link #handleRead} has returned, whichever is later. */
    private static final class Answered implements FilterChainContext.CompletionListener {
        private final HttpRequestPacket request;
        private final Buffer body;
        private boolean half;

        /** Keeps the parts of the content: Grizzly can use a content for a request and for its answer at once. */
        Answered(HttpContent content) {
            this.request = (HttpRequestPacket) content.getHttpHeader();
            this.body = bodyOf(content);
        }

        synchronized void halfDone() {
            if (half) {
                end();
            }
            half = true;
        }

        /** As {@code HttpServerFilter.afterService}. Until the body has come, Grizzly recycles neither the request nor its header. */
        void end() {
            List<GrizzlyBuffer> header = Leftovers.of(request.getConnection()).takeHeader(request);
            body.tryDispose();
            if (!request.isExpectContent()) {
                request.getResponse().recycle();
                request.recycle();
                return;
            }
            request.setSkipRemainder(true);
            header.forEach(GrizzlyBuffer::disposeIfOpen);
            if (request.isIgnoreContentModifiers()) { // an upgrade that was not granted: no request may follow
                request.getProcessingState().getHttpContext().close();
            }
        }

        @Override
        public void onComplete(FilterChainContext context) {
            halfDone();
        }
    }
}
