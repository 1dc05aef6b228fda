// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.jetty;

import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Put this around a {@code GzipHandler} or {@code CompressionHandler} that decompresses requests: {@code new ReleasingHandler(gzip)}. A
 * body that cannot be decompressed then costs no buffer.
 *
 * <p>When Jetty cannot decompress what it has read of a body, it forgets the buffer in which that came. This handler gives it a copy of
 * such bodies in plain memory, and releases the buffer. It does so only for requests that say {@code Content-Encoding}.
 *
 * <p><b>Threads.</b> Any. <b>Cost.</b> A copy of the compressed bytes.
 *
 * <p><b>Source.</b> {@code GzipRequest.GzipTransformer.transform} of Jetty 12.1 and 12.0. It needs {@code org.eclipse.jetty:jetty-server},
 * which the rest of this artifact does not.
 */
public final class ReleasingHandler extends Handler.Wrapper {
    /**
     * Around another handler.
     *
     * @param next what handles each request
     */
    public ReleasingHandler(Handler next) {
        super(next);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        boolean encoded = request.getHeaders().contains(HttpHeader.CONTENT_ENCODING);
        return super.handle(encoded ? new CopiedBody(request) : request, response, callback);
    }

    private static final class CopiedBody extends Request.Wrapper {
        CopiedBody(Request request) {
            super(request);
        }

        @Override
        public Content.Chunk read() {
            Content.Chunk chunk = super.read();
            if (chunk == null || !chunk.canRetain()) {
                return chunk; // nothing yet, a failure, or bytes in no buffer
            }
            ByteBuffer bytes = chunk.getByteBuffer();
            ByteBuffer copy = ByteBuffer.allocate(bytes.remaining()).put(bytes).flip();
            boolean last = chunk.isLast();
            chunk.release();
            return Content.Chunk.from(copy, last);
        }
    }
}
