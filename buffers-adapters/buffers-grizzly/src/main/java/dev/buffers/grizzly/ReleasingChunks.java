// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.grizzly;

import org.glassfish.grizzly.Buffer;
import org.glassfish.grizzly.filterchain.FilterChainContext;
import org.glassfish.grizzly.http.HttpCodecFilter.ContentParsingState;
import org.glassfish.grizzly.http.HttpCodecFilter.HeaderParsingState;
import org.glassfish.grizzly.http.HttpHeader;
import org.glassfish.grizzly.http.HttpPacketParsing;
import org.glassfish.grizzly.http.ParsingResult;
import org.glassfish.grizzly.http.TransferEncoding;
import org.glassfish.grizzly.http.util.DataChunk;
import org.glassfish.grizzly.http.util.MimeHeaders;
import org.jspecify.annotations.Nullable;

/** Grizzly's chunked encoding, which by itself drops each buffer with the end of a chunk. Its state is in the message. */
final class ReleasingChunks extends ReleasingEncoding {
    /** {@code ChunkedTransferEncoding.CHUNK_LENGTH_PARSED_STATE}. */
    private static final int CHUNK_LENGTH_PARSED = 3;

    ReleasingChunks(TransferEncoding chunked) {
        super(chunked);
    }

    @Override
    ParsingResult parse(TransferEncoding chunked, FilterChainContext context, HttpHeader header, Buffer buffer) {
        HttpPacketParsing parsing = (HttpPacketParsing) header;
        ContentParsingState content = parsing.getContentParsingState();
        HeaderParsingState chunk = parsing.getHeaderParsingState();
        Buffer input = buffer;
        if (!content.isLastChunk && content.chunkRemainder <= 0 && chunk.state == CHUNK_LENGTH_PARSED) {
            Buffer rest = skipLineEnd(buffer, chunk);
            buffer.tryDispose();
            if (rest == null) {
                return ParsingResult.create(null, null);
            }
            input = rest;
        }
        ParsingResult result = parseOrDispose(chunked, context, header, input);
        if (isEnd(result.getHttpContent()) && result.getRemainderBuffer() != input) {
            copy(content.trailerHeaders); // they are still in the buffer
            input.tryDispose();
        }
        return result;
    }

    /** Trailer fields as Grizzly finds them are parts of the buffer that they came in, which it then drops. */
    private static void copy(MimeHeaders fields) {
        for (int i = 0; i < fields.size(); i++) {
            copy(fields.getName(i));
            copy(fields.getValue(i));
        }
    }

    private static void copy(DataChunk text) {
        String string = text.toString();
        if (string != null) {
            text.setString(string);
        }
    }

    /** The bytes after the chunk's end in a separate buffer, as {@code parseTrailerCRLF} would slice them; null when there are none. */
    private static @Nullable Buffer skipLineEnd(Buffer buffer, HeaderParsingState chunk) {
        while (buffer.hasRemaining()) {
            if (buffer.get() == '\n') {
                chunk.recycle();
                return buffer.hasRemaining() ? buffer.split(buffer.position()) : null;
            }
        }
        return null;
    }
}
