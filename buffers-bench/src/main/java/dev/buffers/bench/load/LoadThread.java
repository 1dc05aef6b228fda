package dev.buffers.bench.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.HdrHistogram.Histogram;

/** One thread of a load: its share of the connections, and the loop that drives them. */
final class LoadThread implements Callable<LoadResult> {
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
    private final CyclicBarrier start;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(READ_SIZE);
    private final List<Client> clients = new ArrayList<>();
    private final ArrayDeque<Client> idle = new ArrayDeque<>();
    private final Histogram latencies = new Histogram(TimeUnit.SECONDS.toNanos(MAX_LATENCY_SECONDS), LATENCY_DIGITS);
    private long connects;
    private long sent;
    private long responses;
    private long bytes;
    private long end;
    private long lastAnswer;

    LoadThread(LoadPlan plan, int index, InetSocketAddress address, Documents documents, CyclicBarrier start) {
        this.plan = plan;
        this.index = index;
        this.connections = (int) share(plan.connections());
        this.maxResponses = share(plan.maxResponses());
        this.address = address;
        this.requests = new Requests(documents, address, plan.seed() * 31 + index);
        this.start = start;
    }

    private long share(long whole) {
        return whole / plan.threads() + (index < whole % plan.threads() ? 1 : 0);
    }

    @Override
    public LoadResult call() throws IOException, InterruptedException, BrokenBarrierException, TimeoutException {
        try (Selector selector = Selector.open()) {
            if (plan.connectFirst()) {
                connect(selector);
                long patience = patience();
                while (idle.size() < connections) {
                    select(selector, patience, "connections were not accepted");
                }
            }
            start.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
            long begin = System.nanoTime();
            end = begin + plan.time().toNanos();
            if (!plan.connectFirst()) {
                connect(selector);
            }
            if (plan.isOpenLoop()) {
                driveOpenLoop(selector, begin);
            } else {
                driveClosedLoop(selector);
            }
            long patience = patience();
            while (responses < sent) {
                select(selector, patience, "answers are missing: " + (sent - responses));
            }
            return new LoadResult(responses, Math.max(1, lastAnswer - begin) / 1e9, bytes, connects, latencies);
        } catch (UncheckedIOException e) {
            throw new IOException(e.getCause());
        } finally {
            for (Client client : clients) {
                client.close();
            }
        }
    }

    private void connect(Selector selector) throws IOException {
        for (int i = 0; i < connections; i++) {
            clients.add(new Client(selector, address, requests.any()));
            connects++;
        }
    }

    private void driveClosedLoop(Selector selector) throws IOException {
        long patience = patience();
        for (long now = System.nanoTime();
                (now < end || responses == 0) && responses < maxResponses;
                now = System.nanoTime()) {
            while (!idle.isEmpty() && sent < maxResponses) {
                ask(idle.remove(), System.nanoTime());
            }
            select(selector, Math.max(end, patience), "no answers");
        }
    }

    private void driveOpenLoop(Selector selector, long begin) throws IOException {
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
            if (now - patience > plan.time().toNanos()) {
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

    private void select(Selector selector, long until, String what) throws IOException {
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
