// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.run;

import dev.buffers.bench.frameworks.WaitingContestant;
import dev.buffers.bench.frameworks.Way;
import dev.buffers.bench.harness.Cell;
import dev.buffers.bench.harness.Comparison;
import dev.buffers.bench.harness.Comparison.Engine;
import dev.buffers.bench.harness.InterimAnalyses;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of claim F8: which connections wait, on which servers, how many, and how often that is measured. */
final class WaitingOptions {
    /** Asks for nothing. */
    static final WaitingOptions NONE = new WaitingOptions();

    static final String CLAIM = "F8";

    @Option(
            names = "--ways",
            paramLabel = "WAY",
            split = ",",
            description = "of F8, these ways to wait: keep-alive, websocket, websocket-deflate, sse, long-poll, upload,"
                    + " upload-blocking, download, http2, http2-sse (default: all)")
    private List<String> ways = List.of();

    @Option(
            names = "--servers",
            paramLabel = "SERVER",
            split = ",",
            description = "of F8, these servers: tomcat, jetty, undertow, grizzly, nio (default: all)")
    private List<String> servers = List.of();

    @Option(names = "--secure", description = "of F8, only connections with TLS")
    private boolean secure;

    @Option(names = "--plain", description = "of F8, only connections without TLS")
    private boolean plain;

    @Option(
            names = "--connector",
            paramLabel = "NAME=VALUE",
            split = ",",
            description = "of F8 with --servers=tomcat, attributes of the connector, on both sides")
    private List<String> connector = List.of();

    @Option(names = "--connections", paramLabel = "N", description = "of F8, so many wait (default: 1000)")
    private @Nullable Integer connections;

    @Option(
            names = "--runs",
            paramLabel = "N",
            description = "of F8, so many pairs of JVMs, disturbed or not: other programs change the time, not the"
                    + " memory (default with any of these options: 5)")
    private @Nullable Integer runs;

    /** Whether any of them is given. */
    boolean areAsked() {
        return !ways.isEmpty()
                || !servers.isEmpty()
                || secure
                || plain
                || !connector.isEmpty()
                || connections != null
                || runs != null;
    }

    /** The first error in them; empty when there is none. */
    Optional<String> problem(List<String> claims) {
        if (!areAsked()) {
            return Optional.empty();
        }
        List<String> known = Arrays.stream(Way.values()).map(Way::text).toList();
        return Stream.of(
                        unless(
                                claims.size() == 1 && claims.get(0).equalsIgnoreCase(CLAIM),
                                "--ways, --servers, --secure, --plain, --connector, --connections, --runs: only with the"
                                        + " claim " + CLAIM + " alone"),
                        unless(!secure || !plain, "--secure, --plain: only one of them"),
                        unless(
                                connections == null || connections >= 1 && connections <= 100_000,
                                "--connections=" + connections + "; accepted: 1 to 100000"),
                        unless(
                                runs == null || runs >= 1 && runs <= Run.MOST_PAIRS,
                                "--runs=" + runs + "; accepted: 1 to " + Run.MOST_PAIRS),
                        unless(
                                connector.isEmpty() || servers.equals(List.of("tomcat")),
                                "--connector: only with --servers=tomcat"),
                        connector.stream()
                                .filter(attribute -> !attribute.contains("="))
                                .findFirst()
                                .map(attribute -> "not NAME=VALUE: --connector=" + attribute),
                        unknown("--ways", ways, known),
                        unknown("--servers", servers, Way.SERVERS),
                        unless(isAnyAvailable(), "none of these servers can wait in this way: " + obstacles()))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private static Optional<String> unless(boolean right, String problem) {
        return right ? Optional.empty() : Optional.of(problem);
    }

    private static Optional<String> unknown(String option, List<String> given, List<String> known) {
        return given.stream()
                .filter(value -> !known.contains(value))
                .findFirst()
                .map(value -> option + "=" + value + "; accepted: " + String.join(", ", known));
    }

    private boolean isAnyAvailable() {
        return obstacles().size() < selectedServers().size() * selectedWays().size();
    }

    private List<String> selectedServers() {
        return servers.isEmpty() ? Way.SERVERS : servers;
    }

    private List<Way> selectedWays() {
        return Arrays.stream(Way.values())
                .filter(way -> ways.isEmpty() || ways.contains(way.text()))
                .toList();
    }

    private List<Boolean> layers() {
        return secure ? List.of(true) : plain ? List.of(false) : List.of(false, true);
    }

    /** The selected cells that are not available, and why. */
    List<String> obstacles() {
        return selectedServers().stream()
                .flatMap(server -> selectedWays().stream()
                        .flatMap(way ->
                                way.obstacle(server).stream().map(why -> server + ", " + way.text() + ": " + why)))
                .toList();
    }

    /** The comparison with these connections; nothing when it was not asked for. */
    Stream<Comparison> narrowed(Comparison comparison) {
        if (!areAsked()) {
            return Stream.of(comparison);
        }
        boolean asked = comparison.engine() == Engine.WAITING
                && selectedServers().contains(comparison.base().parameters().get("framework"))
                && layers().contains(comparison.base().parameters().containsKey("tls"))
                && selectedWays().stream()
                        .anyMatch(way ->
                                way.text().equals(comparison.cells().get(0).work()));
        return asked ? Stream.of(configured(counted(comparison))) : Stream.empty();
    }

    private Comparison configured(Comparison comparison) {
        return connector.isEmpty()
                ? comparison
                : comparison.with("-D" + WaitingContestant.CONNECTOR + "=" + String.join(",", connector));
    }

    private Comparison counted(Comparison comparison) {
        if (connections == null) {
            return comparison;
        }
        List<Cell> cells = comparison.cells().stream()
                .map(cell -> {
                    Map<String, String> more = new HashMap<>(cell.parameters());
                    more.put(WaitingContestant.CONNECTIONS, String.valueOf(connections));
                    return new Cell(cell.name(), cell.work(), more, cell.ofBase());
                })
                .toList();
        return comparison.only(cells, comparison.trials());
    }

    int runs() {
        return runs != null ? runs : areAsked() ? InterimAnalyses.FIRST : Run.MOST_PAIRS;
    }
}
