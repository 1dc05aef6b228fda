// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.adapters;

import org.junit.jupiter.api.Test;

/** Requests with compressed bodies, for frameworks that decompress them. */
public interface GzipRequestContract {
    /** {@link ServerContract}'s. */
    Client client();

    @Test
    default void compressedUploads() throws Exception {
        client().uploadGzip(Protocol.HTTP);
        client().uploadGzip(Protocol.HTTPS);
    }
}
