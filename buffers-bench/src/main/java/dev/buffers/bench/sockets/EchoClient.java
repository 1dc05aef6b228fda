// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.sockets;

import dev.buffers.bench.load.Client;
import dev.buffers.bench.load.LoadPlan;
import dev.buffers.bench.load.LoadSession;
import dev.buffers.bench.load.WrongAnswer;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/**
 * One connection to an echo server. All that it ever sends is one sequence of numbers, eight bytes each, cut into messages of
 * equal length; the echo must be the same sequence, byte for byte.
 */
final class EchoClient extends Client {
    private static final int OUT_SIZE = 8192;
    private static final int IN_SIZE = 16_384;

    private final SocketChannel channel = SocketChannel.open();
    private final SelectionKey key;
    private final long first;
    private final int numbersEach;
    private final long[] since;
    private final ByteBuffer out = ByteBuffer.allocateDirect(OUT_SIZE);
    private final ByteBuffer in = ByteBuffer.allocateDirect(IN_SIZE);
    private long asked;
    private long answered;
    private long sent;
    private long received;

    /**
     * Connects.
     *
     * @param id different for each connection, so that no two send the same numbers
     * @param bytes in each message, a multiple of eight
     */
    EchoClient(Selector selector, int port, int id, int inFlight, int bytes) throws IOException {
        this.first = (long) id << 40;
        this.numbersEach = bytes / Long.BYTES;
        this.since = new long[inFlight];
        try {
            channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.configureBlocking(false);
            this.key = channel.register(selector, SelectionKey.OP_READ, this);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /** Connections to an echo server, each with at most so many messages of so many bytes under way. */
    static LoadSession session(LoadPlan plan, String server, int port, int inFlight, int bytes)
            throws IOException, InterruptedException {
        return new LoadSession(
                plan, server, thread -> (selector, id) -> new EchoClient(selector, port, id, inFlight, bytes));
    }

    @Override
    protected boolean hasRoom() {
        return asked - answered < since.length;
    }

    @Override
    protected void ask(long time) {
        since[(int) (asked++ % since.length)] = time;
    }

    @Override
    protected void flush() throws IOException {
        int n;
        do {
            while (out.remaining() >= Long.BYTES && sent < asked * numbersEach) {
                out.putLong(first + sent++);
            }
            n = channel.write(out.flip());
            out.compact();
        } while (n > 0 && out.position() == 0 && sent < asked * numbersEach);
        int ops = out.position() > 0 ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ;
        if (key.interestOps() != ops) {
            key.interestOps(ops);
        }
    }

    @Override
    protected void receive(Tally tally) throws IOException {
        if (channel.read(in) < 0) {
            throw new EOFException("the server closed the connection: messages missing=" + (asked - answered));
        }
        in.flip();
        long now = System.nanoTime();
        while (in.remaining() >= Long.BYTES) {
            long number = in.getLong();
            if (number != first + received || received == sent) {
                throw new WrongAnswer(
                        "wrong echo: number=" + (number - first) + ", expected=" + received + ", sent=" + sent);
            }
            if (++received % numbersEach == 0) {
                tally.answered(now - since[(int) (answered++ % since.length)], (long) numbersEach * Long.BYTES);
            }
        }
        in.compact();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
