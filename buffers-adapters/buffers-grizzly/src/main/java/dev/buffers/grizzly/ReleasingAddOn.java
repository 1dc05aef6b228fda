// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.grizzly;

import org.glassfish.grizzly.filterchain.FilterChain;
import org.glassfish.grizzly.filterchain.FilterChainBuilder;
import org.glassfish.grizzly.http.ChunkedTransferEncoding;
import org.glassfish.grizzly.http.ContentEncoding;
import org.glassfish.grizzly.http.FixedLengthTransferEncoding;
import org.glassfish.grizzly.http.HttpCodecFilter;
import org.glassfish.grizzly.http.TransferEncoding;
import org.glassfish.grizzly.http.server.AddOn;
import org.glassfish.grizzly.http.server.FileCacheFilter;
import org.glassfish.grizzly.http.server.HttpServerFilter;
import org.glassfish.grizzly.http.server.NetworkListener;
import org.glassfish.grizzly.ssl.SSLBaseFilter;

/**
 * Makes Grizzly's HTTP server dispose of buffers that it would drop: those of chunked requests, of requests that its file cache answers, of
 * requests that end before their body does, of headers that never become complete or cannot be read, the last ones of each TLS
 * connection, and the first one of each HTTP/2 connection. Call {@code listener.registerAddOn(new ReleasingAddOn())} before the server is
 * started.
 *
 * <p>A server works without this add-on, at a price: the buffers that it drops are counted as lost, and their memory is not used again.
 * Grizzly even retains some of them: each of its threads keeps up to 16 ended requests with their headers, and up to 16 responses with
 * their connections, which may have ended. With this add-on they keep neither a connection nor a header, and a connection whose request
 * is suspended is read for its body alone: in Grizzly 4.0.2 the next request could otherwise get into it. If the pool refuses memory for
 * all of an answer, its connection ends: Grizzly would leave the client without a word. Some buffers of Grizzly 4.0.2 are dropped in spite
 * of this add-on: unsent bytes for a client that vanished, a part of a TLS record, and all buffers of a request that a handler had
 * suspended when its client vanished. Of HTTP/2 also frames of unknown types, frames that break the protocol, and answers to streams that
 * the client has reset.
 *
 * <p><b>Source.</b> {@code ChunkedTransferEncoding.parsePacket}, {@code HttpCodecFilter.decodeWithTransferEncoding}, {@code
 * HttpServerFilter.ServerHttpRequestImpl.recycle}, {@code Response.recycle}, {@code Response.suspend}, {@code InputBuffer.invokeHandler},
 * {@code OutputBuffer.close}, {@code SSLBaseFilter.unwrapAll}, {@code FileCacheFilter.handleRead}, {@code Http2ServerFilter.handleRead} and
 * {@code Http2FrameCodec.parse} of Grizzly 4.0.2.
 */
public final class ReleasingAddOn implements AddOn {
    /** One may be registered with many listeners. */
    public ReleasingAddOn() {}

    @Override
    public void setup(NetworkListener listener, FilterChainBuilder chain) {
        releaseHttp(chain);
        int cache = chain.indexOfType(FileCacheFilter.class);
        if (cache >= 0 && chain.get(cache).getClass() == FileCacheFilter.class) { // one of the user's own is left alone
            chain.set(cache, new ReleasingFileCacheFilter(listener.getFileCache()));
        }
    }

    /**
     * The same for a chain that a server other than Grizzly's has built, such as GlassFish, but for its file cache, which needs a
     * {@code NetworkListener}: {@code transport.setProcessor(ReleasingAddOn.releasing((FilterChain) transport.getProcessor()))}. New
     * connections use it.
     *
     * @param chain of HTTP, which stays as it is but for the codec in it
     * @return another chain of the same filters and those of this add-on
     */
    public static FilterChain releasing(FilterChain chain) {
        FilterChainBuilder builder = FilterChainBuilder.stateless().addAll(chain);
        releaseHttp(builder);
        return builder.build();
    }

    private static void releaseHttp(FilterChainBuilder chain) {
        int tls = chain.indexOfType(SSLBaseFilter.class);
        if (tls >= 0) {
            chain.add(tls, new ReleasingTlsFilter());
        }
        int codec = chain.indexOfType(HttpCodecFilter.class);
        if (codec >= 0) {
            HttpCodecFilter http = (HttpCodecFilter) chain.get(codec);
            releaseBodies(http);
            releaseUndecodable(http);
            http.getMonitoringConfig().addProbes(new ReleasingInput.Headers());
            chain.add(codec, new ReleasingInput());
        }
        int handlers = chain.indexOfType(HttpServerFilter.class);
        if (handlers >= 0) {
            ((HttpServerFilter) chain.get(handlers)).getMonitoringConfig().addProbes(new ReleasingInput.Requests());
        }
    }

    private static void releaseBodies(HttpCodecFilter codec) {
        for (TransferEncoding encoding : codec.getTransferEncodings()) {
            if (encoding instanceof ChunkedTransferEncoding) {
                replace(codec, encoding, new ReleasingChunks(encoding));
            } else if (encoding instanceof FixedLengthTransferEncoding) {
                replace(codec, encoding, new ReleasingEncoding(encoding));
            }
        }
    }

    private static void releaseUndecodable(HttpCodecFilter codec) {
        for (ContentEncoding encoding : codec.getContentEncodings()) {
            codec.removeContentEncoding(encoding);
            codec.addContentEncoding(new ReleasingContentEncoding(encoding));
        }
    }

    private static void replace(HttpCodecFilter codec, TransferEncoding old, TransferEncoding by) {
        codec.removeTransferEncoding(old);
        codec.addTransferEncoding(by);
    }
}
