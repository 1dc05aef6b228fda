// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.http;

import dev.buffers.bench.http.Connection.Next;
import dev.buffers.bench.net.LoopbackServer;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;

/** One thread and its selector, serving the connections that it was given. */
final class Worker {
    /*
     * At the cap. A connection that finds no room is put into `held`, and the worker asks the pool, once for all of them, to be woken
     * when there is room again. The wake-up comes on another thread: it only sets a flag and wakes the selector. While some are held,
     * others that want to read queue up behind them. A wake-up that finds none left is passed on to the next waiter of the pool.
     *
     * Fairness. After a few turns a busy connection stands back: its interest in writing brings it to its next turn.
     */

    private static final int TURNS = 16;
    private static final long MAX_TICK_MILLIS = 500;

    private final Server server;
    private final Selector selector = Selector.open();
    private final Thread thread = LoopbackServer.daemon(this::run, "http-worker");
    private final ArrayDeque<SelectionKey> held = new ArrayDeque<>();
    private final long tickMillis;
    private boolean asked;
    private boolean resuming;
    private long nextTick = System.nanoTime();

    private volatile boolean roomMade;
    private volatile boolean stopping;

    Worker(Server server) throws IOException {
        this.server = server;
        this.tickMillis = Math.max(
                1, Math.min(MAX_TICK_MILLIS, server.options().idleTimeout().toMillis() / 4));
    }

    private void run() {
        try {
            while (!stopping) {
                turn();
            }
        } finally {
            shutDown();
        }
    }

    /** Whatever fails, the connections stay, and the next turn goes on with them. */
    private void turn() {
        try {
            selector.select(this::ready, tickMillis);
            resumeHeld();
            endOverdue();
            askForRoom();
        } catch (IOException | RuntimeException | Error e) {
            server.failed(e);
            LoopbackServer.pause();
        }
    }

    private void ready(SelectionKey key) {
        if (key.isValid()) {
            proceed(key, (Connection) key.attachment());
        }
    }

    private void proceed(SelectionKey key, Connection connection) {
        try {
            Next next = Next.ANOTHER_TURN;
            for (int turn = 0; turn < TURNS && next == Next.ANOTHER_TURN; turn++) {
                next = connection.turn(resuming || held.isEmpty());
            }
            switch (next) {
                case INPUT -> interest(key, SelectionKey.OP_READ);
                case OUTPUT, ANOTHER_TURN -> interest(key, SelectionKey.OP_WRITE);
                case ROOM -> hold(key, connection);
                case CLOSE -> server.end(connection);
            }
        } catch (IOException e) {
            server.end(connection);
        } catch (RuntimeException | Error e) {
            server.end(connection);
            server.failed(e);
        }
    }

    private static void interest(SelectionKey key, int ops) {
        if (key.interestOps() != ops) {
            key.interestOps(ops);
        }
    }

    /** Keeps a connection that found no room until there is some. */
    private void hold(SelectionKey key, Connection connection) {
        if (key.interestOps() != 0) {
            connection.waitAnew();
        }
        interest(key, 0);
        connection.setAside();
        if (resuming) {
            held.addFirst(key);
        } else {
            held.addLast(key);
        }
    }

    private void resumeHeld() {
        if (!roomMade) {
            return;
        }
        roomMade = false;
        asked = false;
        boolean tried = false;
        resuming = true;
        for (int n = held.size(); n > 0; n--) {
            SelectionKey key = held.remove();
            if (key.isValid()) {
                tried = true;
                ready(key);
                if (held.peekFirst() == key) {
                    break;
                }
            }
        }
        resuming = false;
        if (!tried) {
            server.source().passOn();
        }
    }

    private void askForRoom() {
        if (!asked && !held.isEmpty()) {
            server.source().whenAvailable(this::roomMade);
            asked = true;
        }
    }

    private void roomMade() {
        roomMade = true;
        selector.wakeup();
    }

    private void endOverdue() {
        long now = System.nanoTime();
        if (now - nextTick < 0) {
            return;
        }
        nextTick = now + TimeUnit.MILLISECONDS.toNanos(tickMillis);
        for (SelectionKey key : selector.keys()) {
            if (key.attachment() instanceof Connection connection && connection.isOverdue()) {
                server.end(connection);
            }
        }
        held.removeIf(key -> !key.isValid());
    }

    private void shutDown() {
        for (SelectionKey key : selector.keys()) {
            if (key.attachment() instanceof Connection connection) {
                server.end(connection);
            }
        }
        LoopbackServer.abandon(selector);
    }

    void start() {
        thread.start();
    }

    /** Takes over a connected channel. Called by the thread that accepts. */
    void adopt(SocketChannel channel) throws IOException {
        channel.configureBlocking(false);
        SelectionKey key = channel.register(selector, 0);
        key.attach(server.connect(channel));
        key.interestOps(SelectionKey.OP_READ);
        selector.wakeup();
    }

    void stop() {
        stopping = true;
        selector.wakeup();
    }

    void join() throws InterruptedException {
        thread.join();
    }
}
