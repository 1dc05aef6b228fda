package dev.buffers.grizzly;

import java.io.IOException;
import org.glassfish.grizzly.filterchain.FilterChainContext;
import org.glassfish.grizzly.filterchain.NextAction;
import org.glassfish.grizzly.http.HttpContent;
import org.glassfish.grizzly.http.HttpHeader;
import org.glassfish.grizzly.http.server.FileCacheFilter;
import org.glassfish.grizzly.http.server.filecache.FileCache;

/**
 * Recycles a request that the file cache has answered, as {@code HttpServerFilter} does with all others: that disposes of the buffer in
 * which its header came. An answer that is not written at once still uses its request, and that buffer is left to the collector.
 */
final class ReleasingFileCacheFilter extends FileCacheFilter {
    ReleasingFileCacheFilter(FileCache fileCache) {
        super(fileCache);
    }

    @Override
    public NextAction handleRead(FilterChainContext ctx) throws IOException {
        HttpHeader request = ((HttpContent) ctx.getMessage()).getHttpHeader();
        NextAction next = super.handleRead(ctx);
        if (next == ctx.getStopAction()) {
            request.recycle();
        }
        return next;
    }
}
