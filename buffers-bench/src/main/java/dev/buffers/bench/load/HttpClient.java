// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.load;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import tlschannel.ClientTlsChannel;
import tlschannel.NeedsReadException;
import tlschannel.NeedsWriteException;

/**
 * One connection to a web server, with TLS or without, opened anew whenever the server has closed it. At most one request is in flight.
 */
final class HttpClient extends Client {
    private final Selector selector;
    private final InetSocketAddress address;
    private final Requests requests;
    private final Answer answer;
    private final @Nullable SSLContext tls;
    private SocketChannel channel;

    /** The channel, or TLS over it. */
    private ByteChannel wire;

    private SelectionKey key;
    private @Nullable ByteBuffer request;
    private boolean connected;
    private boolean busy;
    private long since;
    private long connects;

    HttpClient(Selector selector, InetSocketAddress address, Requests requests, @Nullable SSLContext tls)
            throws IOException {
        this.selector = selector;
        this.address = address;
        this.requests = requests;
        this.answer = new Answer(requests.any());
        this.tls = tls;
        this.channel = SocketChannel.open();
        this.wire = over(channel);
        this.key = connect();
    }

    private ByteChannel over(SocketChannel socket) {
        return tls == null ? socket : ClientTlsChannel.newBuilder(socket, tls).build();
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
        wire = over(channel);
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
        boolean blocked = false;
        try {
            wire.write(request);
            blocked = request.hasRemaining();
            request = blocked ? request : null;
        } catch (NeedsReadException e) {
            // TLS goes on with its handshake when the server has answered.
        } catch (NeedsWriteException e) {
            blocked = true;
        }
        key.interestOps(blocked ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ);
    }

    @Override
    protected void receive(Tally tally) throws IOException {
        flush(); // what the handshake of TLS kept back
        ByteBuffer buffer = requests.buffer();
        int n;
        do {
            n = read(buffer.clear());
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
        } while (tls == null ? n == buffer.capacity() : n > 0);
    }

    private int read(ByteBuffer buffer) throws IOException {
        try {
            return wire.read(buffer);
        } catch (NeedsReadException e) {
            return 0;
        } catch (NeedsWriteException e) {
            key.interestOps(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
            return 0;
        }
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
