package dev.buffers.bench.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** One thread of a load: its share of the connections, and the loop that drives them. */
final class LoadThread implements AutoCloseable {
    /*
     * Closed loop: a connection sends its next request when its last answer is complete, and the latency counts from then.
     * Open loop: requests are due by a schedule that knows nothing of the server; a due request waits for an idle connection, and the
     * latency counts from when it was due. A server that stalls is charged for all it kept waiting (no coordinated omission).
     */

    private static final int READ_SIZE = 65_536;
    private static final long PATIENCE_SECONDS = 20;
    private static final long MAX_LATENCY_SECONDS = 120;
    private static final int LATENCY_DIGITS = 3;

    /** Closer to its next request than this an open loop does not sleep. */
    private static final long SPIN_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private final LoadPlan plan;
    private final int index;
    private final int connections;
    private final long maxResponses;
    private final InetSocketAddress address;
    private final Requests requests;
    private final Selector selector = Selector.open();
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(READ_SIZE);
    private final List<Client> clients = new ArrayList<>();
    private final ArrayDeque<Client> idle = new ArrayDeque<>();
    private Histogram latencies = histogram();
    private long connects;
    private long sent;
    private long responses;
    private long bytes;
    private long end;
    private long lastAnswer;

    LoadThread(LoadPlan plan, int index, InetSocketAddress address, Documents documents) throws IOException {
        this.plan = plan;
        this.index = index;
        this.connections = (int) share(plan.connections());
        this.maxResponses = share(plan.maxResponses());
        this.address = address;
        this.requests = new Requests(documents, address, plan.seed() * 31 + index);
    }

    private static Histogram histogram() {
        return new Histogram(TimeUnit.SECONDS.toNanos(MAX_LATENCY_SECONDS), LATENCY_DIGITS);
    }

    private long share(long whole) {
        return whole / plan.threads() + (index < whole % plan.threads() ? 1 : 0);
    }

    /** Opens its connections and waits until all of them are. */
    void connect() throws IOException {
        open();
        long patience = patience();
        while (idle.size() < connections) {
            select(patience, "connections were not accepted");
        }
    }

    /** Puts its load on the server for a time, over the connections that it has; those that are closed meanwhile it opens again. */
    LoadResult drive(Duration time) throws IOException {
        latencies = histogram();
        sent = 0;
        responses = 0;
        bytes = 0;
        connects = plan.connectFirst() ? connects : 0;
        long begin = System.nanoTime();
        end = begin + time.toNanos();
        try {
            if (clients.isEmpty()) {
                open();
            } else {
                selector.selectNow(this::ready); // the server may have closed some
            }
            if (plan.isOpenLoop()) {
                driveOpenLoop(begin, time.toNanos());
            } else {
                driveClosedLoop();
            }
            long patience = patience();
            while (responses < sent) {
                select(patience, "answers are missing: " + (sent - responses));
            }
        } catch (UncheckedIOException e) {
            throw new IOException(e.getCause());
        }
        return new LoadResult(responses, Math.max(1, lastAnswer - begin) / 1e9, bytes, connects, latencies);
    }

    @Override
    public void close() throws IOException {
        try (selector) {
            for (Client client : clients) {
                client.close();
            }
        }
    }

    private void open() throws IOException {
        for (int i = 0; i < connections; i++) {
            clients.add(new Client(selector, address, requests.any()));
            connects++;
        }
    }

    private void driveClosedLoop() throws IOException {
        long patience = patience();
        for (long now = System.nanoTime();
                (now < end || responses == 0) && responses < maxResponses;
                now = System.nanoTime()) {
            while (!idle.isEmpty() && sent < maxResponses) {
                ask(idle.remove(), System.nanoTime());
            }
            select(Math.max(end, patience), "no answers");
        }
    }

    private void driveOpenLoop(long begin, long nanos) throws IOException {
        Schedule schedule = new Schedule(begin, plan.rate() / plan.threads(), plan.seed() * 37 + index);
        long patience = patience();
        while (schedule.next() < end && sent < maxResponses) {
            long now = System.nanoTime();
            while (schedule.next() <= now && !idle.isEmpty() && schedule.next() < end) {
                ask(idle.remove(), schedule.next());
                schedule.advance();
            }
            long sleep = schedule.next() - now;
            if (sleep > SPIN_NANOS) {
                selector.select(this::ready, millis(sleep - SPIN_NANOS));
            } else {
                selector.selectNow(this::ready);
            }
            if (now - patience > nanos) {
                throw new IOException("the server does not keep up: rate=" + plan.rate());
            }
        }
    }

    private void ready(SelectionKey key) {
        try {
            Client client = (Client) key.attachment();
            if (key.isConnectable()) {
                if (client.finishConnect()) {
                    idle.add(client);
                }
                return;
            }
            if (key.isWritable()) {
                client.flush();
            }
            if (key.isReadable()) {
                read(client);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read(Client client) throws IOException {
        if (client.receive(buffer)) {
            long now = System.nanoTime();
            latencies.recordValue(Math.min(now - client.since(), latencies.getHighestTrackableValue()));
            responses++;
            lastAnswer = now;
            bytes += client.size();
            if (client.isClosing()) {
                reopen(client);
            } else {
                idle.add(client);
            }
        } else if (client.isOver()) {
            idle.remove(client);
            reopen(client);
        }
    }

    private void reopen(Client client) throws IOException {
        client.reopen();
        connects++;
    }

    private void ask(Client client, long time) throws IOException {
        requests.ask(client, time);
        sent++;
    }

    private void select(long until, String what) throws IOException {
        long left = until - System.nanoTime();
        if (left <= 0) {
            throw new IOException(what);
        }
        selector.select(this::ready, millis(left));
    }

    private static long patience() {
        return System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    }

    private static long millis(long nanos) {
        return Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos));
    }
}
