// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.grizzly;

import org.glassfish.grizzly.Buffer;
import org.glassfish.grizzly.Connection;
import org.glassfish.grizzly.http.ContentEncoding;
import org.glassfish.grizzly.http.HttpContent;
import org.glassfish.grizzly.http.HttpHeader;
import org.glassfish.grizzly.http.ParsingResult;

/** One of Grizzly's content encodings, which by itself drops what it cannot decode. */
@SuppressWarnings("rawtypes") // Grizzly declares the methods so
final class ReleasingContentEncoding implements ContentEncoding {
    private final ContentEncoding encoding;

    ReleasingContentEncoding(ContentEncoding encoding) {
        this.encoding = encoding;
    }

    @Override
    public ParsingResult decode(Connection connection, HttpContent content) {
        boolean last = content.isLast();
        ParsingResult result;
        try {
            result = encoding.decode(connection, content);
        } catch (Throwable e) {
            content.getContent().tryDispose();
            throw e;
        }
        Buffer rest = result.getRemainderBuffer();
        if (!last || rest == null) {
            return result;
        }
        rest.tryDispose(); // nothing comes that would complete it
        return ParsingResult.create(result.getHttpContent(), null);
    }

    @Override
    public HttpContent encode(Connection connection, HttpContent content) {
        return encoding.encode(connection, content);
    }

    @Override
    public String getName() {
        return encoding.getName();
    }

    @Override
    public String[] getAliases() {
        return encoding.getAliases();
    }

    @Override
    public boolean wantDecode(HttpHeader header) {
        return encoding.wantDecode(header);
    }

    @Override
    public boolean wantEncode(HttpHeader header) {
        return encoding.wantEncode(header);
    }
}
