// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.grizzly;

import java.util.List;
import org.glassfish.grizzly.Buffer;
import org.glassfish.grizzly.Connection;
import org.glassfish.grizzly.Grizzly;
import org.glassfish.grizzly.IOEvent;
import org.glassfish.grizzly.attributes.Attribute;
import org.glassfish.grizzly.filterchain.BaseFilter;
import org.glassfish.grizzly.filterchain.FilterChainContext;
import org.glassfish.grizzly.filterchain.NextAction;
import org.glassfish.grizzly.http.HttpHeader;
import org.glassfish.grizzly.http.HttpPacket;
import org.glassfish.grizzly.http.HttpPacketParsing;
import org.glassfish.grizzly.http.HttpProbe;
import org.glassfish.grizzly.http.HttpRequestPacket;
import org.glassfish.grizzly.http.Method;
import org.glassfish.grizzly.http.Protocol;
import org.glassfish.grizzly.http.server.HttpServerFilter;
import org.glassfish.grizzly.http.server.HttpServerProbe;
import org.glassfish.grizzly.http.server.Request;
import org.glassfish.grizzly.http.server.Response;

/**
 * Before Grizzly's codec, which by itself drops what it holds when a connection ends: a header that is not complete, or cannot be
 * read, and of HTTP/2 the preface and a frame that is not complete.
 */
final class ReleasingInput extends BaseFilter {
    private static final Attribute<HttpRequestPacket> REQUEST = Grizzly.DEFAULT_ATTRIBUTE_BUILDER.createAttribute(
            org.glassfish.grizzly.http.HttpServerFilter.HTTP_SERVER_REQUEST_ATTR_NAME);

    @Override
    public NextAction handleRead(FilterChainContext context) {
        Leftovers leftovers = Leftovers.of(context.getConnection());
        if (!leftovers.beginRead()) {
            ((Buffer) context.getMessage()).tryDispose();
            return context.getStopAction();
        }
        context.addCompletionListener(leftovers);
        Connection<?> connection = context.getConnection();
        Buffer input =
                leftovers.input(context.getMemoryManager(), context.getMessage(), REQUEST.get(connection) == null);
        context.setMessage(input);
        return input == null ? context.getStopAction() : context.getInvokeAction();
    }

    @Override
    public NextAction handleClose(FilterChainContext context) {
        Leftovers.of(context.getConnection()).close();
        return context.getInvokeAction();
    }

    /** At the codec: sees what it is given, and what becomes of it. */
    @SuppressWarnings("rawtypes") // Grizzly declares the methods so
    static final class Headers extends HttpProbe.Adapter {
        @Override
        public void onDataReceivedEvent(Connection connection, Buffer buffer) {
            if (REQUEST.get(connection) instanceof HttpPacketParsing request && !request.isHeaderParsed()) {
                Leftovers.of(connection).keep(buffer);
            }
        }

        @Override
        public void onHeaderParseEvent(Connection connection, HttpHeader header, int size) {
            Leftovers.of(connection).headerOf(header);
        }

        @Override
        public void onErrorEvent(Connection connection, HttpPacket packet, Throwable error) {
            Leftovers.of(connection).broken(packet);
        }
    }

    /** At the handlers: Grizzly disposes of the header of a request when that has ended, but not if some of its body is still to come. */
    @SuppressWarnings("rawtypes") // Grizzly declares the methods so
    static final class Requests extends HttpServerProbe.Adapter {
        private static final String CANCELLED = Requests.class.getName();
        private static final FilterChainContext.CopyListener READS_ON = Requests::readOn;
        private static final HttpRequestPacket EMPTY = HttpRequestPacket.builder()
                .method(Method.GET)
                .uri("/")
                .protocol(Protocol.HTTP_1_1)
                .build();

        @Override
        public void onRequestReceiveEvent(HttpServerFilter filter, Connection connection, Request request) {
            Leftovers.of(connection).received(request.getRequest());
            if (request.getRequest()
                    instanceof HttpPacketParsing) { // else a stream of HTTP/2, which has its own bytes alone
                FilterChainContext context = request.getContext();
                context.removeCopyListener(READS_ON); // of the request before, which came together with this one
                context.addCopyListener(READS_ON);
            }
        }

        /**
         * {@code InputBuffer.invokeHandler} tells a listener of a body's last bytes before it knows that they are the last. If the listener
         * waits for more, a copy of the request's context turns the connection's reading on, or goes on with the bytes behind the body:
         * the next request gets into this one, and has no answer.
         */
        private static void readOn(FilterChainContext context, FilterChainContext copy) {
            if (REQUEST.get(context.getConnection()) == null) { // all of the body has come
                copy.getInternalContext().setIoEvent(IOEvent.NONE);
                copy.setEndIdx(copy.getStartIdx());
            }
        }

        /**
         * Where a selector's thread runs the handler, {@code HttpHandler.runService} leaves the connection's reading on: two threads then
         * process the connection, and the next request's body gets into the one that is suspended. Called before any thread can resume it.
         */
        @Override
        public void onRequestSuspendEvent(HttpServerFilter filter, Connection connection, Request request) {
            FilterChainContext context = request.getContext();
            if (!context.getInternalContext().wasSuspended()) {
                context.suspend();
            }
        }

        @Override
        public void onRequestCompleteEvent(HttpServerFilter filter, Connection connection, Response response) {
            Request request = response.getRequest();
            List<GrizzlyBuffer> header = Leftovers.of(connection).takeHeader(request.getRequest());
            if (request.getRequest().isExpectContent()) {
                request.getContext().addCompletionListener(context -> header.forEach(GrizzlyBuffer::disposeIfOpen));
            }
            if (!response.getResponse()
                    .isCommitted()) { // its memory was refused, and Grizzly would let the client wait
                request.getRequest().getProcessingState().getHttpContext().close();
            }
            if (request.getAttribute(CANCELLED)
                    == null) { // else the application may still have the response, and it is not recycled
                forget(filter, connection, response);
            }
        }

        /**
         * {@code Response.recycle} keeps the {@code HttpContext}, and {@code InputBuffer.recycle} and {@code Parameters.recycle} the request's
         * header. A thread keeps up to 16 recycled responses and requests: each would retain the connection, or a header whose body has not
         * come, with all that it holds, long after its end. A filter context and a header without anything take their places.
         */
        private static void forget(HttpServerFilter filter, Connection connection, Response response) {
            FilterChainContext none = FilterChainContext.create(connection);
            Request request = response.getRequest();
            response.initialize(request, response.getResponse(), none, null, filter);
            request.getInputBuffer().initialize(EMPTY, none);
            request.getParameters().setHeaders(EMPTY.getHeaders());
            request.getParameters().setQuery(EMPTY.getQueryStringDC());
            none.completeAndRecycle();
        }

        /** Others may still have it. */
        @Override
        public void onRequestCancelEvent(HttpServerFilter filter, Connection connection, Request request) {
            Leftovers.of(connection).takeHeader(request.getRequest());
            request.setAttribute(CANCELLED, true);
        }
    }
}
