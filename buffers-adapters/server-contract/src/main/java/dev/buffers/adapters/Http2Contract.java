// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.adapters;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The same requests over HTTP/2, for frameworks that have it. */
public interface Http2Contract {
    /** {@link ServerContract}'s. */
    Client client();

    /** Whether the server compresses a file over HTTP/2 too. */
    default boolean compressesStreams() {
        return true;
    }

    @Test
    default void filesOverHttp2() throws Exception {
        client().file(Protocol.HTTP2);
        if (compressesStreams()) {
            client().gzip(Protocol.HTTP2);
        }
    }

    @Test
    default void uploadsOverHttp2() throws Exception {
        client().upload(Protocol.HTTP2);
        client().uploadChunked(Protocol.HTTP2);
        client().echo(Protocol.HTTP2);
    }

    @Test
    default void answersOfUnknownLengthOverHttp2() throws Exception {
        client().stream(Protocol.HTTP2);
    }

    @Test
    default void manyStreamsAtOnceOverHttp2() throws Exception {
        List<CompletableFuture<HttpResponse<byte[]>>> responses = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            responses.add(client().sendFile(Protocol.HTTP2));
        }
        for (CompletableFuture<HttpResponse<byte[]>> response : responses) {
            assertArrayEquals(
                    Payload.FILE, client().check(Protocol.HTTP2, response).body());
        }
    }

    @Tag("full")
    @Test
    default void streamsThatAreResetOverHttp2() throws Exception {
        for (int i = 0; i < 20; i++) {
            client().cancel(Protocol.HTTP2);
            client().cancelUpload(Protocol.HTTP2, i);
        }
        client().file(Protocol.HTTP2);
    }
}
