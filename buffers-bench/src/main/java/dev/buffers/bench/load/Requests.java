// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.load;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What the connections of one thread share: requests made in advance, the order in which they are sent, and a buffer to read into. */
final class Requests {
    private static final int DRAWN = 1 << 14;
    private static final int READ_SIZE = 65_536;

    private final List<Document> documents;
    private final ByteBuffer[] bytes;
    private final int[] order;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(READ_SIZE);
    private int next;

    Requests(Documents documents, InetSocketAddress address, long seed) {
        this.documents = documents.all();
        this.bytes = this.documents.stream()
                .map(document -> bytes(document, address))
                .toArray(ByteBuffer[]::new);
        this.order = documents.draw(DRAWN, seed);
    }

    private static ByteBuffer bytes(Document document, InetSocketAddress address) {
        // A server with TLS may compare the name with its certificate's.
        String text = "GET " + document.target() + " HTTP/1.1\r\nHost: localhost:" + address.getPort() + "\r\n\r\n";
        byte[] ascii = text.getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocateDirect(ascii.length).put(ascii).flip();
    }

    Document any() {
        return documents.get(0);
    }

    /** The bytes of the next request, whose answer is the one to expect. */
    ByteBuffer next(Answer answer) {
        int index = order[next++ % DRAWN];
        answer.expect(documents.get(index));
        return bytes[index].duplicate();
    }

    /** A buffer that any client may overwrite. */
    ByteBuffer buffer() {
        return buffer;
    }
}
