// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
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

/** One connection to a web server, opened anew whenever the server has closed it. At most one request is in flight. */
final class HttpClient extends Client {
    private final Selector selector;
    private final InetSocketAddress address;
    private final Requests requests;
    private final Answer answer;
    private SocketChannel channel;
    private SelectionKey key;
    private @Nullable ByteBuffer request;
    private boolean connected;
    private boolean busy;
    private long since;
    private long connects;

    HttpClient(Selector selector, InetSocketAddress address, Requests requests) throws IOException {
        this.selector = selector;
        this.address = address;
        this.requests = requests;
        this.answer = new Answer(requests.any());
        this.channel = SocketChannel.open();
        this.key = connect();
    }

    private SelectionKey connect() throws IOException {
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        connected = channel.connect(address);
        connects++;
        return channel.register(selector, connected ? SelectionKey.OP_READ : SelectionKey.OP_CONNECT, this);
    }

    private void reopen() throws IOException {
        channel.close();
        channel = SocketChannel.open();
        key = connect();
    }

    @Override
    protected void connected() throws IOException {
        connected = channel.finishConnect();
        key.interestOps(connected ? SelectionKey.OP_READ : SelectionKey.OP_CONNECT);
    }

    @Override
    protected boolean hasRoom() {
        return connected && !busy;
    }

    @Override
    protected void ask(long time) {
        busy = true;
        since = time;
        request = requests.next(answer);
    }

    @Override
    protected void flush() throws IOException {
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

    @Override
    protected void receive(Tally tally) throws IOException {
        ByteBuffer buffer = requests.buffer();
        int n;
        do {
            n = channel.read(buffer.clear());
            if (n < 0 && busy) {
                throw new EOFException("the server closed the connection in the middle of an answer");
            }
            if (n < 0) { // which the server may do at any time while nothing is asked of it
                reopen();
                return;
            }
            if (n > 0 && !busy) {
                throw new WrongAnswer("bytes without a request");
            }
            if (n > 0 && answer.take(buffer.flip())) {
                busy = false;
                tally.answered(System.nanoTime() - since, answer.size());
                if (answer.isClosing()) {
                    reopen();
                }
                return;
            }
        } while (n == buffer.capacity());
    }

    @Override
    protected long connects() {
        return connects;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
