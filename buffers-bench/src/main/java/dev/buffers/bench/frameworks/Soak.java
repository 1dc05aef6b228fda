// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.frameworks;

import dev.buffers.bench.jvm.AttachedJvm;
import dev.buffers.bench.jvm.Footprint;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import javax.net.ssl.SSLSocketFactory;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.jspecify.annotations.Nullable;

/**
 * A load for hours on one server in a separate JVM: with a heap of 256 MiB, or as its user has started it. Clients of all kinds come, wait in each way that the server has,
 * exchange small messages, stall, and leave politely, by a reset, or in the middle of a record.
 *
 * <p>Some threads are the clients; the thread that calls {@link #run} takes the samples. The rate is the same for all servers, and far
 * below what they can do.
 */
public final class Soak {
    private static final int THREADS = 4;
    private static final int LONGEST_PAUSE_MILLIS = 10;
    private static final int LONGEST_LIFE_SECONDS = 120;
    private static final int MOST_MESSAGES = 10;
    private static final int ASK_MILLIS = 100;
    private static final long LONGEST_MICROS = TimeUnit.MINUTES.toMicros(1);
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final Start start;
    private final List<Way> ways;
    private final boolean secure;
    private final int connections;
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicLong opened = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final Recorder micros = new Recorder(LONGEST_MICROS, 3);
    private volatile boolean stopped;

    /** Starts the server, or attaches to it. */
    private interface Start {
        Soaked start() throws IOException, InterruptedException;
    }

    private Soak(Start start, String server, boolean secure, int connections) {
        this.start = start;
        this.ways = Arrays.stream(Way.values())
                .filter(way ->
                        way != Way.UPLOAD_BLOCKING && way.obstacle(server).isEmpty())
                .toList();
        this.secure = secure;
        this.connections = connections;
    }

    /**
     * A load on {@code server}, one of {@link Way#SERVERS}, on this library's pool or on its own buffers.
     *
     * @param connections at most so many at once
     */
    public static Soak of(String server, boolean ours, boolean secure, int connections) {
        Way way = Way.HTTP2; // this server speaks HTTP/1.1 too
        return new Soak(
                () -> new Soaked.Child(WaitingContestant.jvm("soak", List.of(), server, way, ours, secure)),
                server,
                secure,
                connections);
    }

    /**
     * A load on a server that runs in that JVM and listens on the loopback interface. It answers on the paths of the example
     * {@code spring-boot-soak}.
     *
     * @param connections at most so many at once
     */
    public static Soak of(AttachedJvm jvm, int port, boolean secure, int connections) {
        return new Soak(() -> new Soaked.Running(jvm, port), "running", secure, connections);
    }

    /**
     * Where the server stood at one moment.
     *
     * @param connections open at that moment
     * @param opened since the start
     * @param exchanges since the last sample, with their times in microseconds
     * @param leased bytes of our pools
     * @param failed answers that were wrong, late or missing since the start
     */
    public record Sample(
            double minutes,
            int connections,
            long opened,
            long exchanges,
            long p50,
            long p99,
            long longest,
            long resident,
            long heap,
            long direct,
            long leased,
            long failed) {}

    /**
     * The server after all clients have gone.
     *
     * @param leased bytes of our pools that are still out
     * @param lost leases of our pools that were lost
     * @param heap bytes after two collections
     * @param failures the first of them
     */
    public record End(long leased, long lost, long heap, long direct, long resident, List<String> failures) {
        /** Whether nothing was lost or left, and every answer was right. */
        public boolean isClean() {
            return leased == 0 && lost == 0 && failures.isEmpty();
        }
    }

    /** Whether a server has the clients that exchange messages. */
    public static boolean hasAllClients(String server) {
        return Way.EXCHANGING.stream().allMatch(way -> way.obstacle(server).isEmpty());
    }

    /** Runs for that time, and tells of a sample at the end of each interval. */
    public End run(Duration time, Duration interval, Consumer<Sample> samples)
            throws IOException, InterruptedException {
        try (Soaked server = start.start()) {
            int port = server.port();
            List<Thread> threads = new ArrayList<>();
            long begin = System.nanoTime();
            try {
                SSLSocketFactory tls = secure ? Tls.client().getSocketFactory() : null;
                for (int i = 0; i < THREADS; i++) {
                    Thread thread = new Thread(() -> clients(port, tls), "clients " + i);
                    threads.add(thread);
                    thread.start();
                }
                for (long at = interval.toNanos(); at <= time.toNanos(); at += interval.toNanos()) {
                    TimeUnit.NANOSECONDS.sleep(begin + at - System.nanoTime());
                    samples.accept(sample(server, begin));
                }
            } catch (GeneralSecurityException e) {
                throw new IOException(e);
            } finally {
                stopped = true;
                for (Thread thread : threads) {
                    thread.join();
                }
            }
            return end(server);
        }
    }

    private Sample sample(Soaked server, long begin) throws IOException, InterruptedException {
        server.publish(); // long polls and events end
        WaitingProgram.Held held = server.now();
        Histogram times = micros.getIntervalHistogram();
        return new Sample(
                (System.nanoTime() - begin) / 60e9,
                open.get(),
                opened.get(),
                times.getTotalCount(),
                times.getValueAtPercentile(50),
                times.getValueAtPercentile(99),
                times.getMaxValue(),
                held.memory().resident(),
                held.memory().heap(),
                held.memory().direct(),
                held.leased(),
                failed.get());
    }

    private End end(Soaked server) throws IOException, InterruptedException {
        server.publish();
        long until = System.nanoTime() + PATIENCE.toNanos();
        while (server.leasedBytes() > 0 && System.nanoTime() - until < 0) {
            Thread.sleep(ASK_MILLIS);
        }
        Footprint last = server.collected().memory();
        return new End(
                server.leasedBytes(),
                server.lost(),
                last.heap(),
                last.direct(),
                last.resident(),
                List.copyOf(failures));
    }

    /** A connection, and when it is to end. */
    private record Client(Way way, Waits waits, Wire wire, long until) {
        /** Whether it can go on and wait again. */
        boolean exchanges() {
            return Way.EXCHANGING.contains(way);
        }
    }

    /** The work of one thread: one connection after the other, at random. */
    private void clients(int port, @Nullable SSLSocketFactory tls) {
        @Nullable Client[] clients = new Client[Math.max(1, connections / THREADS)];
        ThreadLocalRandom random = ThreadLocalRandom.current();
        try {
            while (!stopped) {
                int i = random.nextInt(clients.length);
                Way way = random.nextBoolean()
                        ? Way.EXCHANGING.get(random.nextInt(Way.EXCHANGING.size()))
                        : ways.get(random.nextInt(ways.size()));
                clients[i] = turn(clients[i], way, port, tls);
                Thread.sleep(random.nextInt(LONGEST_PAUSE_MILLIS));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            for (Client client : clients) {
                leave(client);
            }
        }
    }

    /** Opens, uses or ends a connection, and returns what it is then. */
    private @Nullable Client turn(@Nullable Client client, Way way, int port, @Nullable SSLSocketFactory tls) {
        try {
            if (client == null) {
                return begin(way, port, tls);
            } else if (System.nanoTime() - client.until() > 0) {
                leave(client);
                return null;
            } else if (client.exchanges()) {
                long begin = System.nanoTime();
                client.waits().end(client.wire());
                micros.recordValue(Math.min(LONGEST_MICROS, (System.nanoTime() - begin) / 1_000));
            }
            return client;
        } catch (IOException | RuntimeException e) { // an answer that is no HTTP too
            failed.incrementAndGet();
            if (failures.size() < MOST_MESSAGES) {
                failures.add((client == null ? way : client.way()).text() + ": " + e);
            }
            leave(client);
            return null;
        }
    }

    private Client begin(Way way, int port, @Nullable SSLSocketFactory tls) throws IOException {
        Waits waits = Waits.of(way);
        Wire wire = Wire.connect(port, tls, waits.protocol());
        open.incrementAndGet();
        opened.incrementAndGet();
        long life = TimeUnit.SECONDS.toNanos(1 + ThreadLocalRandom.current().nextInt(LONGEST_LIFE_SECONDS));
        Client client = new Client(way, waits, wire, System.nanoTime() + life);
        try {
            waits.begin(wire);
            return client;
        } catch (IOException e) {
            leave(client);
            throw e;
        }
    }

    private void leave(@Nullable Client client) {
        if (client == null) {
            return;
        }
        open.decrementAndGet();
        try {
            switch (ThreadLocalRandom.current().nextInt(3)) {
                case 0 -> client.wire().close();
                case 1 -> client.wire().reset();
                default -> client.wire().cut();
            }
        } catch (IOException e) {
            // the server was faster
        }
    }
}
