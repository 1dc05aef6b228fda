// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.HdrHistogram.Histogram;

/** One thread of a load: its share of the connections, and the loops that drive them. Used by one thread at a time. */
final class LoadThread implements AutoCloseable {
    /*
     * Closed loop: each connection has as many requests under way as it may; one that is answered makes room for the next, and its
     * latency counts from when it was sent.
     * Open loop: requests are due by a schedule that knows nothing of the server; a due request waits for a connection with room, and
     * its latency counts from when it was due. A server that stalls is charged for all it kept waiting (no coordinated omission).
     */

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);

    private static final long SEED = 37;

    /** Closer to its next request than this an open loop does not sleep. */
    private static final long SPIN_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private final LoadPlan plan;
    private final int index;
    private final long maxResponses;
    private final IntFunction<LoadSession.Opener> openers;
    private final Selector selector = Selector.open();
    private final List<Client> clients = new ArrayList<>();
    private final Set<Client> free = new LinkedHashSet<>();
    private Histogram latencies = LoadResult.histogram();
    private boolean refill;
    private long sent;
    private long responses;
    private long bytes;
    private long end;

    LoadThread(LoadPlan plan, int index, IntFunction<LoadSession.Opener> openers) throws IOException {
        this.plan = plan;
        this.index = index;
        this.maxResponses = share(plan.maxResponses());
        this.openers = openers;
    }

    private long share(long whole) {
        return whole / plan.threads() + (index < whole % plan.threads() ? 1 : 0);
    }

    /** Opens its connections and waits until all of them are. */
    void connect() throws IOException {
        open();
        long patience = System.nanoTime() + PATIENCE_NANOS;
        while (!clients.stream().allMatch(Client::hasRoom)) {
            select(patience, "connections were not accepted");
        }
    }

    private void open() throws IOException {
        LoadSession.Opener opener = openers.apply(index);
        for (long i = share(plan.connections()); i > 0; i--) {
            clients.add(opener.open(selector, clients.size() * plan.threads() + index));
        }
    }

    /** Puts its load on the server for a time. */
    LoadResult run(Duration time) throws IOException {
        latencies = LoadResult.histogram();
        sent = 0;
        responses = 0;
        bytes = 0;
        refill = false;
        long begin = System.nanoTime();
        end = begin + time.toNanos();
        if (plan.connectFirst()) {
            selector.selectNow(this::ready); // the server may have closed some
        } else {
            open();
        }
        if (plan.isOpenLoop()) {
            driveOpenLoop(begin);
        } else {
            refill = true;
            for (Client client : clients) {
                fill(client);
            }
        }
        awaitAnswers();
        double seconds = (System.nanoTime() - begin) / 1e9;
        long connects = clients.stream().mapToLong(Client::connects).sum();
        if (!plan.connectFirst()) {
            closeClients();
            selector.selectNow(); // lets go of their channels
        }
        return new LoadResult(responses, seconds, bytes, connects, latencies);
    }

    private void driveOpenLoop(long begin) throws IOException {
        free.clear();
        clients.stream().filter(Client::hasRoom).forEach(free::add);
        SplittableRandom random = new SplittableRandom(SEED + index);
        long due = begin + gap(random);
        while (due < end && sent < maxResponses) {
            long now = System.nanoTime();
            while (due <= now && !free.isEmpty() && due < end) {
                Client client = free.iterator().next();
                free.remove(client);
                client.ask(due);
                sent++;
                client.flush();
                due += gap(random);
                noteRoom(client);
            }
            long sleep = due - now;
            if (sleep > SPIN_NANOS) {
                selector.select(this::ready, millis(sleep - SPIN_NANOS));
            } else {
                selector.selectNow(this::ready);
            }
            if (now - end > PATIENCE_NANOS) {
                throw new IOException("the server does not keep up: rate=" + plan.rate());
            }
        }
    }

    /** At random, with exponential gaps, as from many clients that know nothing of each other; the same sequence in each run. */
    private long gap(SplittableRandom random) {
        return (long) (-Math.log(1 - random.nextDouble()) * 1e9 * plan.threads() / plan.rate());
    }

    /** Waits until all sent requests are answered, in a closed loop also until its time is over. */
    private void awaitAnswers() throws IOException {
        long seen = -1;
        long patience = 0;
        while (responses < sent || refill && maySend()) {
            if (responses > seen) {
                seen = responses;
                patience = System.nanoTime() + PATIENCE_NANOS;
            }
            select(patience, "answers are missing: " + (sent - responses));
        }
    }

    /** A closed loop sends something even when connecting took all of its time. */
    private boolean maySend() {
        return sent < maxResponses && (sent == 0 || System.nanoTime() - end < 0);
    }

    private void ready(SelectionKey key) {
        Client client = (Client) key.attachment();
        try {
            if (key.isConnectable()) {
                client.connected();
            } else {
                if (key.isWritable()) {
                    client.flush();
                }
                if (key.isReadable()) {
                    client.receive(this::answered);
                }
            }
            if (refill) {
                fill(client);
            } else {
                noteRoom(client);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void answered(long nanos, long size) {
        latencies.recordValue(Math.min(nanos, latencies.getHighestTrackableValue()));
        responses++;
        bytes += size;
    }

    /** Sends as many requests as the connection may have under way. */
    private void fill(Client client) throws IOException {
        long before = sent;
        while (client.hasRoom() && maySend()) {
            client.ask(System.nanoTime());
            sent++;
        }
        if (sent > before) {
            client.flush();
        }
    }

    private void noteRoom(Client client) {
        if (client.hasRoom()) {
            free.add(client);
        } else {
            free.remove(client);
        }
    }

    private void select(long until, String what) throws IOException {
        long left = until - System.nanoTime();
        if (left <= 0) {
            throw new IOException(what);
        }
        selector.select(this::ready, millis(left));
    }

    private static long millis(long nanos) {
        return Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos));
    }

    @Override
    public void close() throws IOException {
        try (selector) {
            closeClients();
        }
    }

    private void closeClients() throws IOException {
        for (Client client : List.copyOf(clients)) { // an interrupted run closes them while a load opens more
            client.close();
        }
        clients.clear();
    }
}
