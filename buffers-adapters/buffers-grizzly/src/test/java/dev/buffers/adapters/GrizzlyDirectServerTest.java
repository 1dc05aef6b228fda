// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.adapters;

import dev.buffers.grizzly.GrizzlyMemoryManager;
import org.glassfish.grizzly.http.server.NetworkListener;
import org.junit.jupiter.api.Tag;

/** The same with direct memory, which sockets are read into without a copy. */
@Tag("frameworks")
class GrizzlyDirectServerTest extends GrizzlyServerTest {
    @Override
    GrizzlyMemoryManager memory() {
        return new GrizzlyMemoryManager();
    }

    @Override
    void addOns(NetworkListener listener) {
        listener.getTransport().setReadBufferSize(16 * 1024);
        super.addOns(listener);
    }
}
