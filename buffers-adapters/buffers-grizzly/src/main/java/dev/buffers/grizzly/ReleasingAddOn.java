package dev.buffers.grizzly;

import org.glassfish.grizzly.filterchain.FilterChainBuilder;
import org.glassfish.grizzly.http.ChunkedTransferEncoding;
import org.glassfish.grizzly.http.HttpCodecFilter;
import org.glassfish.grizzly.http.TransferEncoding;
import org.glassfish.grizzly.http.server.AddOn;
import org.glassfish.grizzly.http.server.FileCacheFilter;
import org.glassfish.grizzly.http.server.NetworkListener;
import org.glassfish.grizzly.ssl.SSLBaseFilter;

/**
 * Makes Grizzly's HTTP server dispose of buffers that it would drop: those of chunked requests, of requests that
 * its file cache answers, and the last ones of each TLS connection. {@code listener.registerAddOn(new ReleasingAddOn())}, before the server
 * is started.
 *
 * <p>A server does without, at a price: what it drops is counted as lost, and its memory is not used again. With Grizzly 4.0.2 some buffers
 * are dropped in spite of this: what a client had sent of a request's header, or of a message, when it vanished, and what was still to be
 * written to it.
 *
 * <p><b>Source.</b> {@code ChunkedTransferEncoding.parsePacket}, {@code SSLBaseFilter.unwrapAll} and {@code FileCacheFilter.handleRead} of
 * Grizzly 4.0.2.
 */
public final class ReleasingAddOn implements AddOn {
    /** One may be registered with many listeners. */
    public ReleasingAddOn() {}

    @Override
    public void setup(NetworkListener listener, FilterChainBuilder chain) {
        int cache = chain.indexOfType(FileCacheFilter.class);
        if (cache >= 0 && chain.get(cache).getClass() == FileCacheFilter.class) { // one of the user's own is left alone
            chain.set(cache, new ReleasingFileCacheFilter(listener.getFileCache()));
        }
        int codec = chain.indexOfType(HttpCodecFilter.class);
        if (codec >= 0) {
            releaseChunks((HttpCodecFilter) chain.get(codec));
        }
        int tls = chain.indexOfType(SSLBaseFilter.class);
        if (tls >= 0 && chain.get(tls).getClass() == SSLBaseFilter.class) { // one of the user's own is left alone
            chain.set(tls, new ReleasingTlsFilter(listener.getSslEngineConfig()));
        }
    }

    private static void releaseChunks(HttpCodecFilter codec) {
        for (TransferEncoding encoding : codec.getTransferEncodings()) {
            if (encoding instanceof ChunkedTransferEncoding) {
                codec.removeTransferEncoding(encoding);
                codec.addTransferEncoding(new ReleasingChunks(encoding));
            }
        }
    }
}
