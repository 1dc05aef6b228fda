// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.frameworks;

import dev.buffers.bench.harness.Comparison;
import dev.buffers.bench.harness.LoadContestant;
import dev.buffers.bench.harness.Variant;
import dev.buffers.bench.jvm.ChildJvm;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * A server in a separate JVM whose connections wake up from their wait one after another: each sends a small request, or a small message
 * of a WebSocket, and reads the answer. The side's parameters are {@code framework}, the {@link Way}, {@code ours} for this library's pool
 * in place of the server's own buffers, and {@code tls}.
 */
public final class ExchangeContestant extends LoadContestant {
    private static final int CONNECTIONS = 64;

    /** Fewer than connections, so that most of these are silent. */
    private static final int THREADS = 2;

    private final Way way;
    private final boolean secure;
    private final int port;

    private ExchangeContestant(Comparison comparison, Variant side, ChildJvm jvm, Way way, boolean secure, int port) {
        super(side.name(), jvm, comparison.pace());
        this.way = way;
        this.secure = secure;
        this.port = port;
    }

    public static ExchangeContestant start(Comparison comparison, Variant side)
            throws IOException, InterruptedException {
        Map<String, String> parameters = side.parameters();
        Way way = Way.named(parameters.getOrDefault("way", ""));
        boolean secure = parameters.containsKey("tls");
        ChildJvm jvm = WaitingContestant.jvm(comparison, side, way, secure);
        return new ExchangeContestant(comparison, side, jvm, way, secure, Integer.parseInt(jvm.firstLine("")));
    }

    @Override
    protected Load connect(String work, Map<String, String> parameters) throws IOException {
        SSLSocketFactory tls;
        try {
            tls = secure ? Tls.client().getSocketFactory() : null;
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
        int connections =
                Integer.parseInt(parameters.getOrDefault(WaitingContestant.CONNECTIONS, String.valueOf(CONNECTIONS)));
        Exchanges exchanges = new Exchanges();
        try {
            for (int i = 0; i < connections; i++) {
                exchanges.add(port, tls, Waits.of(way), i % THREADS);
            }
            return exchanges;
        } catch (IOException e) {
            exchanges.close();
            throw e;
        }
    }

    /** The connections, and a thread for each share of them. */
    private static final class Exchanges implements Load {
        private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        private final List<Map<Wire, Waits>> shares = new ArrayList<>();

        Exchanges() {
            for (int i = 0; i < THREADS; i++) {
                shares.add(new LinkedHashMap<>());
            }
        }

        void add(int port, @Nullable SSLSocketFactory tls, Waits waits, int share) throws IOException {
            Wire wire = Wire.connect(port, tls, waits.protocol());
            shares.get(share).put(wire, waits);
            waits.begin(wire);
        }

        @Override
        public Done drive(Duration time) throws IOException, InterruptedException {
            long end = System.nanoTime() + time.toNanos();
            List<Future<Long>> running = new ArrayList<>();
            for (Map<Wire, Waits> share : shares) {
                running.add(threads.submit(() -> exchange(share, end)));
            }
            long ops = 0;
            try {
                for (Future<Long> one : running) {
                    ops += one.get();
                }
            } catch (ExecutionException e) {
                throw new IOException(e.getCause());
            }
            return new Done(ops, Map.of());
        }

        /** Goes round these connections until the time is over; each gets at least one turn. */
        private static long exchange(Map<Wire, Waits> share, long end) throws IOException {
            long ops = 0;
            do {
                for (Map.Entry<Wire, Waits> one : share.entrySet()) {
                    one.getValue().end(one.getKey());
                    ops++;
                }
            } while (System.nanoTime() - end < 0);
            return ops;
        }

        @Override
        public void close() throws IOException {
            threads.shutdown();
            for (Map<Wire, Waits> share : shares) {
                for (Wire wire : share.keySet()) {
                    wire.close();
                }
            }
        }
    }
}
