// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.grizzly;

import org.glassfish.grizzly.Buffer;
import org.glassfish.grizzly.filterchain.FilterChainContext;
import org.glassfish.grizzly.http.HttpContent;
import org.glassfish.grizzly.http.HttpHeader;
import org.glassfish.grizzly.http.HttpTrailer;
import org.glassfish.grizzly.http.ParsingResult;
import org.glassfish.grizzly.http.TransferEncoding;
import org.glassfish.grizzly.memory.ByteBufferWrapper;
import org.jspecify.annotations.Nullable;

/** One of Grizzly's encodings, whose codec by itself drops the buffers of a body that it skips because no handler will read it. */
class ReleasingEncoding implements TransferEncoding {
    private final TransferEncoding encoding;

    ReleasingEncoding(TransferEncoding encoding) {
        this.encoding = encoding;
    }

    @Override
    public final ParsingResult parsePacket(FilterChainContext context, HttpHeader header, Buffer buffer) {
        Leftovers leftovers = Leftovers.of(context.getConnection());
        leftovers.keep(null);
        ParsingResult result = parse(encoding, context, header, buffer);
        HttpContent content = result.getHttpContent();
        if (content == null) {
            leftovers.keep(result.getRemainderBuffer());
        } else if (header.isSkipRemainder() && !isEnd(content)) {
            return withoutContent(header, content, result.getRemainderBuffer());
        }
        return result;
    }

    ParsingResult parse(TransferEncoding encoding, FilterChainContext context, HttpHeader header, Buffer buffer) {
        return parseOrDispose(encoding, context, header, buffer);
    }

    /** The codec drops what cannot be parsed. */
    static ParsingResult parseOrDispose(
            TransferEncoding encoding, FilterChainContext context, HttpHeader header, Buffer buffer) {
        try {
            return encoding.parsePacket(context, header, buffer);
        } catch (Throwable e) {
            buffer.tryDispose();
            throw e;
        }
    }

    /** The codec asks what it skips for its length alone. */
    private static ParsingResult withoutContent(HttpHeader header, HttpContent content, @Nullable Buffer remainder) {
        Buffer skipped = content.getContent();
        Buffer length = new ByteBufferWrapper(skipped.toByteBuffer().duplicate());
        skipped.tryDispose();
        return ParsingResult.create(
                header.httpContentBuilder()
                        .content(length)
                        .last(content.isLast())
                        .build(),
                remainder);
    }

    static boolean isEnd(@Nullable HttpContent content) {
        return content != null && HttpTrailer.isTrailer(content);
    }

    @Override
    public final boolean wantDecode(HttpHeader header) {
        return encoding.wantDecode(header);
    }

    @Override
    public final boolean wantEncode(HttpHeader header) {
        return encoding.wantEncode(header);
    }

    @Override
    public final void prepareSerialize(FilterChainContext context, HttpHeader header, HttpContent content) {
        encoding.prepareSerialize(context, header, content);
    }

    @Override
    public final Buffer serializePacket(FilterChainContext context, HttpContent content) {
        return encoding.serializePacket(context, content);
    }
}
