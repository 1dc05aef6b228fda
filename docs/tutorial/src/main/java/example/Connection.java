package example;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.buffers.BufferPool;
import dev.buffers.ChannelBuffers;
import dev.buffers.PoolStats;
import dev.buffers.PooledBuffer;
import dev.buffers.io.BufferChain;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;

/** One client. Only the server's one thread comes here. */
final class Connection implements Closeable {
    private final SocketChannel socket;
    private final BufferPool pool;
    private final ChannelBuffers buffers;
    private final BufferChain unsent = new BufferChain();

    Connection(SocketChannel socket, BufferPool pool) {
        this.socket = socket;
        this.pool = pool;
        this.buffers = pool.channel();
    }

    /** Reads once, answers what it can, and says what to wait for. False when the client has gone. */
    boolean serve(SelectionKey key) throws IOException {
        boolean read = false;
        while (unsent.writeTo(socket)) { // releases each answer as its last byte leaves
            if (answerNext()) {
                continue;
            }
            if (read) {
                buffers.idle(); // with nothing unread, holds no memory until the next event
                key.interestOps(SelectionKey.OP_READ);
                return true;
            }
            if (buffers.readFrom(socket) < 0) {
                return false;
            }
            read = true;
        }
        key.interestOps(SelectionKey.OP_WRITE); // who does not take answers is not read from
        return true;
    }

    /** False when no whole request is unread. */
    private boolean answerNext() {
        ByteBuffer input = buffers.input().flip();
        int end = endOfHead(input);
        if (end >= 0) {
            answer(US_ASCII.decode(input.slice(0, end)).toString());
            input.position(end);
        }
        input.compact(); // unread bytes stay
        return end >= 0;
    }

    private static int endOfHead(ByteBuffer input) {
        for (int i = 0; i + 4 <= input.limit(); i++) {
            if (input.getInt(i) == 0x0D0A0D0A) { // an empty line
                return i + 4;
            }
        }
        return -1;
    }

    private void answer(String head) {
        String body = head.startsWith("GET /stats ") ? stats() : pool.settings().toString();
        byte[] bytes = ("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: "
                        + (body.length() + 1) + "\r\n\r\n" + body + "\n")
                .getBytes(US_ASCII);
        PooledBuffer lease = buffers.acquire(bytes.length);
        lease.buffer().put(bytes).flip();
        unsent.add(lease); // the chain's from here on
    }

    private String stats() {
        PoolStats now = pool.stats();
        return "leases: " + now.leases() + ", leased: " + now.leasedBytes() + " bytes, reserved: " + now.reservedBytes()
                + " bytes";
    }

    @Override
    public void close() throws IOException {
        try (socket;
                buffers) {
            unsent.close();
        }
    }
}
