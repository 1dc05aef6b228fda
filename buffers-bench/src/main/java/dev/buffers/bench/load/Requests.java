package dev.buffers.bench.load;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The bytes of the requests, made in advance, and the order in which they are sent. Used by one thread. */
final class Requests {
    private static final int DRAWN = 1 << 14;

    private final List<Document> documents;
    private final ByteBuffer[] bytes;
    private final int[] order;
    private int next;

    Requests(Documents documents, InetSocketAddress address, long seed) {
        this.documents = documents.all();
        this.bytes = this.documents.stream()
                .map(document -> bytes(document, address))
                .toArray(ByteBuffer[]::new);
        this.order = documents.draw(DRAWN, seed);
    }

    private static ByteBuffer bytes(Document document, InetSocketAddress address) {
        String host = address.getAddress().getHostAddress() + ":" + address.getPort();
        String text = "GET " + document.target() + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n";
        byte[] ascii = text.getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocateDirect(ascii.length).put(ascii).flip();
    }

    Document any() {
        return documents.get(0);
    }

    /** Has {@code client} ask for the next document, as of {@code time}. */
    void ask(Client client, long time) throws IOException {
        int index = order[next++ % DRAWN];
        client.ask(documents.get(index), bytes[index].duplicate(), time);
    }
}
