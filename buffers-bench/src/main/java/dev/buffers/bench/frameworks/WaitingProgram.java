// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.frameworks;

import dev.buffers.PoolStats;
import dev.buffers.bench.harness.LoadContestant.Numbers;
import dev.buffers.bench.jvm.ChildJvm;
import dev.buffers.bench.jvm.Footprint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The main program of a server whose clients wait: prints its port, and answers each line of its input with one line of JSON until the
 * input ends. The lines {@link #COLLECTED} and {@link #NOW} ask for its {@link Held}, {@link #PUBLISH} for the end of all waits, {@link #COUNT} for the
 * {@link Waiters.Count}, any other for the {@link Numbers}.
 */
final class WaitingProgram {
    static final String COLLECTED = "collected";
    static final String NOW = "now";
    static final String PUBLISH = "publish";
    static final String COUNT = "count";

    private WaitingProgram() {}

    /**
     * The memory that the server holds, and the bytes that it has leased.
     *
     * @param memory after two collections: the second frees the memory of objects that the first made unreachable
     * @param leased bytes of our pools
     */
    record Held(Footprint memory, long leased) {

        static Held collected(Embedded server) throws IOException, InterruptedException {
            Footprint.collected();
            return new Held(Footprint.collected(), server.sum(PoolStats::leasedBytes));
        }
    }

    /** Takes the server, the way, whether it is on our pool, and the file of the keys, or an empty text without TLS. */
    public static void main(String[] args) throws Exception {
        Logger.getLogger("").setLevel(Level.SEVERE); // or they tell of each client that leaves
        Way way = Way.named(args[1]);
        Waiters waiters = new Waiters();
        Tls tls = args[3].isEmpty() ? null : Tls.read(Path.of(args[3]));
        try (Embedded server = start(args[0], way, Boolean.parseBoolean(args[2]), tls, waiters)) {
            ChildJvm.answer(String.valueOf(server.port()), line -> switch (line) {
                case COLLECTED -> Held.collected(server);
                case NOW -> new Held(Footprint.now(), server.sum(PoolStats::leasedBytes));
                case PUBLISH -> waiters.publish();
                case COUNT -> waiters.count();
                default -> Numbers.here(0, server.sum(PoolStats::leasedBytes), server.lost(args[0]));
            });
        }
        System.exit(0); // the threads of some servers would keep the JVM alive
    }

    /** Starts a server with its defaults, on this library's pool or on its own. */
    static Embedded start(String server, Way way, boolean ours, @Nullable Tls tls, Waiters waiters) throws IOException {
        return switch (server) {
            case "tomcat" -> WaitingTomcat.start(way, ours, tls, waiters);
            case "jetty" -> WaitingJetty.start(way, ours, tls, waiters);
            case "undertow" -> WaitingUndertow.start(way, ours, tls, waiters);
            case "grizzly" -> WaitingGrizzly.start(way, ours, tls, waiters);
            case "nio" -> {
                waiters.hasNoDownloads();
                yield EmbeddedNio.start(files(), ours, tls);
            }
            default ->
                throw new IllegalArgumentException(
                        "no such server: " + server + "; accepted: " + String.join(", ", Way.SERVERS));
        };
    }

    private static Contents files() throws IOException {
        Path folder = Files.createTempDirectory("waiting");
        for (Map.Entry<String, byte[]> file : Map.of(
                        Waiters.SMALL, Waiters.ANSWER, Waiters.LARGE, new byte[Waiters.LONG_DOWNLOAD])
                .entrySet()) {
            Files.write(folder.resolve(file.getKey().substring(1)), file.getValue())
                    .toFile()
                    .deleteOnExit();
        }
        folder.toFile().deleteOnExit();
        return new Contents(folder, Map.of());
    }
}
