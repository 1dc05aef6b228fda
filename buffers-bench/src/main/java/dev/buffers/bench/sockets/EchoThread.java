package dev.buffers.bench.sockets;

import dev.buffers.bench.load.Schedule;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** Some connections to an echo server, and the loops that drive them. Used by one thread at a time. */
final class EchoThread implements AutoCloseable {
    /*
     * Closed loop: each connection has as many messages under way as it may; one that has come back makes room for the next.
     * Open loop: messages are due by a schedule that knows nothing of the server; a due message waits for a connection with room,
     * and its latency counts from when it was due (no coordinated omission). The open loop never sleeps: timers are coarser than
     * the latencies measured.
     */

    private static final long PATIENCE_SECONDS = 10;

    private final Selector selector = Selector.open();
    private final List<EchoClient> clients = new ArrayList<>();
    private final ArrayDeque<EchoClient> free = new ArrayDeque<>();
    private Histogram latencies = Trips.histogram();
    private long asked;
    private long answered;
    private long end;
    private boolean refill;

    /** Connects to the server. */
    EchoThread(int port, int firstId, int connections, int inFlight, int bytes) throws IOException {
        try {
            for (int i = 0; i < connections; i++) {
                clients.add(new EchoClient(selector, port, firstId + i, inFlight, bytes));
            }
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    Trips closed(long nanos) throws IOException {
        long begin = begin(nanos);
        refill = true;
        for (EchoClient client : clients) {
            fill(client);
        }
        return finish(begin);
    }

    Trips open(long nanos, double rate, long seed) throws IOException {
        long begin = begin(nanos);
        refill = false;
        free.clear();
        free.addAll(clients);
        Schedule schedule = new Schedule(begin, rate, seed);
        long patience = end + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (schedule.next() < end) {
            long now = System.nanoTime();
            if (schedule.next() <= now && !free.isEmpty()) {
                EchoClient client = free.remove();
                client.ask(schedule.next());
                asked++;
                client.flush();
                schedule.advance();
                if (client.hasRoom()) {
                    free.add(client);
                }
            } else {
                selector.selectNow(this::ready);
            }
            if (now - patience > 0) {
                throw new IOException("the server does not keep up: rate=" + rate);
            }
        }
        return finish(begin);
    }

    private long begin(long nanos) {
        latencies = Trips.histogram();
        asked = 0;
        answered = 0;
        long begin = System.nanoTime();
        end = begin + nanos;
        return begin;
    }

    /** Waits for what is still under way, in a closed loop until its time is over. */
    private Trips finish(long begin) throws IOException {
        long before = answered;
        long patience = patience();
        while (answered < asked) {
            selector.select(this::ready, TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
            if (answered > before) {
                before = answered;
                patience = patience();
            } else if (System.nanoTime() - patience > 0) {
                throw new IOException("messages do not come back: missing=" + (asked - answered));
            }
        }
        return new Trips(answered, (System.nanoTime() - begin) / 1e9, latencies);
    }

    private static long patience() {
        return System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    }

    private void ready(SelectionKey key) {
        try {
            EchoClient client = (EchoClient) key.attachment();
            if (key.isWritable()) {
                client.flush();
            }
            if (key.isReadable()) {
                boolean hadRoom = client.hasRoom();
                int n = client.receive(latencies);
                answered += n;
                if (refill) {
                    fill(client);
                } else if (n > 0 && !hadRoom) {
                    free.add(client);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends as many messages as the connection may have under way, until the time is over. */
    private void fill(EchoClient client) throws IOException {
        long now = System.nanoTime();
        boolean any = false;
        while (now - end < 0 && client.hasRoom()) {
            client.ask(now);
            asked++;
            any = true;
        }
        if (any) {
            client.flush();
        }
    }

    @Override
    public void close() throws IOException {
        try (selector) {
            for (EchoClient client : clients) {
                client.close();
            }
        }
    }
}
