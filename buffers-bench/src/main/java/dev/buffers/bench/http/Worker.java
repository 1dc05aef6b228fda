package dev.buffers.bench.http;

import dev.buffers.bench.net.AcceptLoop;
import dev.buffers.bench.net.ErrorLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** One thread and its selector, serving the connections that it was given. */
final class Worker implements Runnable {
    /*
     * At the cap. A connection that finds no room is put into `held`, and the worker asks the pool, once for all of them, to be woken
     * when there is room again. The wake-up comes on another thread: it only sets a flag and wakes the selector. While some are held,
     * others who want to read queue up behind them. A wake-up that finds nobody left is passed on to the next waiter of the pool.
     */

    private static final ErrorLog LOG = new ErrorLog(Worker.class);
    private static final long MAX_TICK_MILLIS = 500;

    private final ServerOptions options;
    private final BufferSource source;
    private final Selector selector;
    private final Site site;
    private final HttpDate date = new HttpDate();
    private final ByteBuffer waste = ByteBuffer.allocateDirect(BufferSource.BUFFER_SIZE);
    private final Queue<SocketChannel> arrivals = new ConcurrentLinkedQueue<>();
    private final Set<Connection> connections = new HashSet<>();
    private final ArrayDeque<Connection> held = new ArrayDeque<>();
    private final long tickNanos;
    private boolean asked;
    private boolean resuming;
    private long now = System.nanoTime();
    private long nextTick = now;

    private final LongAdder served = new LongAdder();
    private final LongAdder failures = new LongAdder();
    private volatile boolean roomMade;
    private volatile boolean stopping;
    private volatile int open;

    Worker(ServerOptions options, BufferSource source, DocumentRoot root) throws IOException {
        this.options = options;
        this.source = source;
        this.selector = Selector.open();
        this.site = new Site(root);
        long tick = Math.max(1, Math.min(MAX_TICK_MILLIS, options.idleTimeout().toMillis() / 4));
        this.tickNanos = TimeUnit.MILLISECONDS.toNanos(tick);
    }

    @Override
    public void run() {
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
            selector.select(this::ready, TimeUnit.NANOSECONDS.toMillis(tickNanos));
            now = System.nanoTime();
            adoptArrivals();
            resumeHeld();
            closeOverdue();
            askForRoom();
        } catch (IOException | RuntimeException | Error e) {
            failed(e);
            AcceptLoop.pause();
        }
    }

    private void ready(SelectionKey key) {
        now = System.nanoTime();
        Connection connection = (Connection) key.attachment();
        if (!connection.isClosed()) {
            proceed(connection);
        }
    }

    private void proceed(Connection connection) {
        try {
            connection.proceed();
        } catch (IOException e) {
            drop(connection);
        } catch (RuntimeException | Error e) {
            drop(connection);
            failed(e);
        }
    }

    private void drop(Connection connection) {
        try {
            connection.close();
        } catch (RuntimeException | Error e) {
            failed(e);
        }
    }

    private void failed(Throwable e) {
        failures.increment();
        LOG.error("the server failed", e);
    }

    private void adoptArrivals() {
        for (SocketChannel channel = arrivals.poll(); channel != null; channel = arrivals.poll()) {
            try {
                SelectionKey key = channel.register(selector, SelectionKey.OP_READ);
                Connection connection = new Connection(this, channel, key, source.connection());
                key.attach(connection);
                connections.add(connection);
                open = connections.size();
            } catch (IOException | RuntimeException | Error e) {
                AcceptLoop.abandon(channel);
                failed(e);
            }
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
            Connection connection = held.remove();
            if (!connection.isClosed()) {
                tried = true;
                proceed(connection);
                if (held.peekFirst() == connection) {
                    break;
                }
            }
        }
        resuming = false;
        if (!tried) {
            source.passOn();
        }
    }

    private void askForRoom() {
        if (!asked && !held.isEmpty()) {
            source.whenAvailable(this::roomMade);
            asked = true;
        }
    }

    private void roomMade() {
        roomMade = true;
        selector.wakeup();
    }

    private void closeOverdue() {
        if (now - nextTick < 0) {
            return;
        }
        nextTick = now + tickNanos;
        for (Connection connection : connections.toArray(Connection[]::new)) {
            if (connection.isOverdue(now)) {
                drop(connection);
            }
        }
        held.removeIf(Connection::isClosed);
    }

    private void shutDown() {
        for (Connection connection : connections.toArray(Connection[]::new)) {
            drop(connection);
        }
        for (SocketChannel channel = arrivals.poll(); channel != null; channel = arrivals.poll()) {
            AcceptLoop.abandon(channel);
        }
        site.close();
        AcceptLoop.abandon(selector);
    }

    // Called by any thread.

    /** Takes over a connected, non-blocking channel. */
    void adopt(SocketChannel channel) {
        arrivals.add(channel);
        selector.wakeup();
    }

    void stop() {
        stopping = true;
        selector.wakeup();
    }

    int open() {
        return open;
    }

    long responses() {
        return served.sum();
    }

    long failures() {
        return failures.sum();
    }

    // Called by this worker's connections.

    ServerOptions options() {
        return options;
    }

    Site site() {
        return site;
    }

    HttpDate date() {
        return date;
    }

    /** The time at which the event being handled was seen. */
    long now() {
        return now;
    }

    /** An empty buffer for bytes that nobody wants. */
    ByteBuffer waste() {
        return waste.clear();
    }

    /** Whether others already wait for room, so that whoever wants some has to queue up. */
    boolean mustQueue() {
        return !resuming && !held.isEmpty();
    }

    /** Keeps a connection that found no room until there is some. */
    void hold(Connection connection) {
        if (resuming) {
            held.addFirst(connection);
        } else {
            held.addLast(connection);
        }
    }

    void served() {
        served.increment();
    }

    void closed(Connection connection) {
        connections.remove(connection);
        open = connections.size();
    }
}
