// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.frameworks;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.buffers.bench.harness.Comparison;
import dev.buffers.bench.harness.OnceContestant;
import dev.buffers.bench.harness.Variant;
import dev.buffers.bench.jvm.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that a server's JVM holds for each connection that waits. The cell's work is the {@link Way}. The connections are silent for
 * three seconds, the JVM collects twice, and its memory is compared with that before they came. Then each of them goes on, which shows that
 * it was open, and the server answers a new one.
 *
 * <p>The side's parameters are {@code framework}, {@code ours} for this library's pool in place of the server's own buffers, and
 * {@code tls}. The cell's may have {@code connections}.
 */
public final class WaitingContestant extends OnceContestant {
    /** The parameter with the number of connections, and that number unless it is given. */
    public static final String CONNECTIONS = "connections";

    public static final int USUAL = 1_000;

    /** The system property of its JVMs with attributes of Tomcat's connector: {@code name=value,name=value}. */
    public static final String CONNECTOR = "bench.connector";

    private static final int FEW = 10;

    /** They load what the server needs; what it keeps of them afterwards is missing from the figures. */
    private static final int FIRST = 2;

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** Longer than a server waits before it gives memory back that a silent connection does not need. */
    private static final int SILENCE_MILLIS = 3_000;

    private static final ObjectMapper JSON = new ObjectMapper();

    private static @Nullable Path keys;

    private final Comparison comparison;
    private final Variant side;
    private final List<ChildJvm> jvms = new CopyOnWriteArrayList<>();
    private @Nullable FutureTask<Map<String, Double>> work;

    public WaitingContestant(Comparison comparison, Variant side) {
        this.comparison = comparison;
        this.side = side;
    }

    /** The file with the key of all servers of this run. */
    private static synchronized Path keys() throws IOException {
        if (keys == null) {
            Path folder = Files.createTempDirectory("keys");
            folder.toFile().deleteOnExit();
            Path file = folder.resolve("keys.p12");
            try {
                Tls.write(file);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException(e);
            }
            file.toFile().deleteOnExit();
            keys = file;
        }
        return keys;
    }

    /** Starts the program of such a side. */
    static ChildJvm jvm(Comparison comparison, Variant side, Way way, boolean secure) throws IOException {
        Map<String, String> its = side.parameters();
        String server = its.getOrDefault("framework", "");
        return jvm(side.name(), comparison.jvmArguments(), server, way, its.containsKey("ours"), secure);
    }

    static ChildJvm jvm(String name, List<String> options, String server, Way way, boolean ours, boolean secure)
            throws IOException {
        return ChildJvm.start(
                name,
                options,
                WaitingProgram.class,
                List.of(server, way.text(), String.valueOf(ours), secure ? keys().toString() : ""));
    }

    private boolean isSecure() {
        return side.parameters().containsKey("tls");
    }

    @Override
    protected void start(String work, Map<String, String> parameters) throws IOException {
        Way way = Way.named(work);
        boolean little = parameters.containsKey(Comparison.LITTLE);
        int connections = little ? FEW : Integer.parseInt(parameters.getOrDefault(CONNECTIONS, String.valueOf(USUAL)));
        ChildJvm jvm = jvm(comparison, side, way, isSecure());
        jvms.add(jvm);
        FutureTask<Map<String, Double>> task =
                new FutureTask<>(() -> measure(jvm, way, connections, little ? 1 : SILENCE_MILLIS));
        this.work = task;
        new Thread(task, side.name() + ", client").start();
    }

    @Override
    protected Map<String, Double> await() throws IOException, InterruptedException {
        try {
            return Objects.requireNonNull(work).get();
        } catch (ExecutionException e) {
            throw new IOException(side.name() + ": " + e.getCause(), e);
        }
    }

    private Map<String, Double> measure(ChildJvm jvm, Way way, int connections, int silenceMillis)
            throws IOException, InterruptedException {
        int port = Integer.parseInt(jvm.firstLine(""));
        Waits waits = Waits.of(way);
        List<Wire> wires = new ArrayList<>();
        try {
            open(wires, port, waits, FIRST);
            areWaiting(jvm, waits, FIRST, 0);
            end(jvm, wires, waits);
            long received = count(jvm).received();
            Thread.sleep(silenceMillis / 3); // the server notices that they have left
            WaitingProgram.Held empty = held(jvm);
            open(wires, port, waits, connections);
            areWaiting(jvm, waits, connections, received);
            Thread.sleep(silenceMillis);
            WaitingProgram.Held full = held(jvm);
            areWaiting(jvm, waits, connections, received);
            end(jvm, wires, waits);
            open(wires, port, Waits.of(Way.KEEP_ALIVE), 1); // the server answers
            return Map.of(
                    "held", full.memory().growth(empty.memory()) / connections,
                    "heap", (double) (full.memory().heap() - empty.memory().heap()) / connections,
                    "direct", (double) (full.memory().direct() - empty.memory().direct()) / connections,
                    "leased", (double) (full.leased() - empty.leased()) / connections,
                    "resident", full.memory().residentGrowth(empty.memory()) / connections);
        } finally {
            for (Wire wire : wires) {
                wire.close();
            }
        }
    }

    private void open(List<Wire> wires, int port, Waits waits, int count) throws IOException {
        try {
            SSLSocketFactory tls = isSecure() ? Tls.client().getSocketFactory() : null;
            for (int i = 0; i < count; i++) {
                Wire wire = Wire.connect(port, tls, waits.protocol());
                wires.add(wire);
                waits.begin(wire);
            }
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
    }

    /** Ends their waits, which shows that they were open. */
    private static void end(ChildJvm jvm, List<Wire> wires, Waits waits) throws IOException, InterruptedException {
        jvm.tell(WaitingProgram.PUBLISH);
        jvm.line(PATIENCE);
        for (Wire wire : wires) {
            waits.end(wire);
            wire.close();
        }
        wires.clear();
    }

    private static Waiters.Count count(ChildJvm jvm) throws IOException, InterruptedException {
        jvm.tell(WaitingProgram.COUNT);
        return JSON.readValue(jvm.line(PATIENCE), Waiters.Count.class);
    }

    private static WaitingProgram.Held held(ChildJvm jvm) throws IOException, InterruptedException {
        jvm.tell(WaitingProgram.COLLECTED);
        return JSON.readValue(jvm.line(PATIENCE), WaitingProgram.Held.class);
    }

    /** Returns once the server knows of all of them. */
    private static void areWaiting(ChildJvm jvm, Waits waits, int connections, long receivedBefore)
            throws IOException, InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        for (Waiters.Count count = count(jvm); ; count = count(jvm)) {
            if (waits.areWaiting(count.since(receivedBefore), connections)) {
                return;
            }
            if (System.nanoTime() - end > 0) {
                throw new IOException("not all wait: connections=" + connections + ", " + count);
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    @Override
    public Duration cpu() {
        return jvms.stream().map(ChildJvm::cpu).reduce(Duration.ZERO, Duration::plus);
    }

    @Override
    public void close() {
        jvms.forEach(ChildJvm::close);
    }
}
