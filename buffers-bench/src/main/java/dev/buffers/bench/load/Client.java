package dev.buffers.bench.load;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/** One connection of the load generator, opened anew whenever the server has closed it. At most one request is in flight. */
final class Client implements AutoCloseable {
    private final Selector selector;
    private final InetSocketAddress address;
    private final Answer answer;
    private SocketChannel channel;
    private SelectionKey key;
    private @Nullable ByteBuffer request;
    private boolean busy;
    private boolean over;
    private long since;

    Client(Selector selector, InetSocketAddress address, Document any) throws IOException {
        this.selector = selector;
        this.address = address;
        this.answer = new Answer(any);
        this.channel = SocketChannel.open();
        this.key = connect();
    }

    private SelectionKey connect() throws IOException {
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        boolean connected = channel.connect(address);
        int interest = connected ? SelectionKey.OP_WRITE : SelectionKey.OP_CONNECT;
        return channel.register(selector, interest, this);
    }

    /** Opens a new connection in place of one that is over. */
    void reopen() throws IOException {
        channel.close();
        busy = false;
        over = false;
        channel = SocketChannel.open();
        key = connect();
    }

    /** Sees to a connection that was just made: true when it can be used. */
    boolean finishConnect() throws IOException {
        if (channel.finishConnect()) {
            key.interestOps(SelectionKey.OP_READ);
            return true;
        }
        return false;
    }

    /** Sends a request that counts as sent at {@code time}. */
    void ask(Document document, ByteBuffer bytes, long time) throws IOException {
        answer.expect(document);
        busy = true;
        since = time;
        request = bytes;
        flush();
    }

    /** Writes what is left of the request. */
    void flush() throws IOException {
        if (request == null) {
            return;
        }
        channel.write(request);
        boolean done = !request.hasRemaining();
        if (done) {
            request = null;
        }
        key.interestOps(done ? SelectionKey.OP_READ : SelectionKey.OP_READ | SelectionKey.OP_WRITE);
    }

    /** Reads what there is, by way of {@code buffer}: true when the answer is complete. */
    boolean receive(ByteBuffer buffer) throws IOException {
        while (true) {
            int n = channel.read(buffer.clear());
            if (n < 0 && !busy) {
                over = true;
                return false;
            }
            if (n < 0) {
                throw new EOFException("the server closed the connection in the middle of an answer");
            }
            if (n > 0 && !busy) {
                throw new WrongAnswer("bytes that nobody asked for");
            }
            if (n > 0 && answer.take(buffer.flip())) {
                busy = false;
                return true;
            }
            if (n < buffer.capacity()) {
                return false;
            }
        }
    }

    /** Whether the server closed the connection while nothing was asked of it, which it may do at any time. */
    boolean isOver() {
        return over;
    }

    /** Bytes of the answer's body. */
    long size() {
        return answer.size();
    }

    boolean isClosing() {
        return answer.isClosing();
    }

    /** When the request counts as sent. */
    long since() {
        return since;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
