// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.claims;

import dev.buffers.bench.harness.Cell;
import dev.buffers.bench.harness.Comparison;
import dev.buffers.bench.harness.Comparison.Engine;
import dev.buffers.bench.harness.Comparison.Pace;
import dev.buffers.bench.harness.PassContestant;
import dev.buffers.bench.harness.Question;
import dev.buffers.bench.harness.Trial;
import dev.buffers.bench.harness.Variant;
import dev.buffers.bench.jvm.Footprint;
import dev.buffers.bench.jvm.VirtualThreads;
import dev.buffers.bench.pools.contenders.Contenders;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Reads a claim. Its first line is {@code ID: statement}; each line that follows is one of these:
 *
 * <pre>
 * then: WORDS             the measurement of that time
 * since: WORDS            changes of the JDK since then
 * needs: WORDS            a requirement of the whole claim, or of the comparison that has begun
 * jmh: WORK as NAME: GRID against GRID
 *                         begins a comparison of a JMH benchmark. Each combination of the first parameters is an alternative of the second.
 *                         A claim with two comparisons of one benchmark names them, and so do claims that share one
 * http: ...               the same of web servers, whose work is a load; framework, echo and exchange are the other kinds of server
 * pass: ...               the same of work done once, by a class; burst is the memory that a framework's server keeps of a burst,
 *                         waiting the memory that it holds for a connection that waits
 * compare: GRID against GRID
 *                         other alternatives for the cells that follow; "target" before the first: figures that the base is to keep below
 * load: LOAD              another load for the cells that follow
 * jvm: OPTIONS            of all sides
 * turns: QUADS x MILLIS   of another number and length
 * asks: QUESTION          about the cells that follow: either, better 1.5, within 1.05, at-most 1.05; "base" before it: of the base
 * figures: NAMES          that are compared in the cells that follow; cpu if there is no such line
 * shapes: NAMES           in which the caller of each cell is compiled
 * scaled: NAME UNIT       that parameter of the base says how much an operation of it does; one of the alternative's does UNIT
 * decide: GRID; GRID      cells that decide the claim
 * more: GRID; GRID        cells that are measured on request
 * </pre>
 *
 * The words jvm, asks, figures and shapes hold until they are said anew. A cell's parameter that begins with {@code base.} is the base's
 * alone.
 */
final class ClaimText {
    private static final String PASSES = "dev.buffers.bench.";
    private static final String OF_BASE = "base.";
    private static final String CONTENDER = "contender";
    private static final String SHAPE = "shape";

    /** Turns in a campaign of many claims. */
    private static final Pace PACE = Pace.USUAL.turns(8, 20);

    private final Claim.Source source;
    private final String id;
    private final String statement;
    private String then = "not measured";
    private String since = "";
    private String obstacle = "";
    private final List<Comparison> comparisons = new ArrayList<>();
    private final Set<String> deciding = new LinkedHashSet<>();

    private String name = "";
    private Engine engine = Engine.JMH;
    private String work = "";
    private Pace pace = PACE;
    private List<String> jvm = List.of();
    private Variant base = new Variant("base", Map.of());
    private List<Variant> alternatives = List.of();
    private final Set<Variant> running = new LinkedHashSet<>();
    private Question question = Question.of("better");
    private List<String> figures = List.of(Trial.CPU);
    private String shapes = "";
    private String scaled = "";
    private double unit = 1;
    private boolean dropped;
    private final Map<Cell, List<Trial>> cells = new LinkedHashMap<>();

    private ClaimText(Claim.Source source, String text) {
        List<String[]> lines =
                text.lines().map(line -> line.strip().split(": *", 2)).toList();
        this.source = source;
        this.id = lines.get(0)[0];
        this.statement = lines.get(0)[1];
        lines.stream().skip(1).forEach(line -> read(line[0], line[1]));
    }

    /** Reads claims that empty lines divide. */
    static List<Claim> read(Claim.Source source, String text) {
        return Arrays.stream(text.strip().split("\n\n+"))
                .map(claim -> new ClaimText(source, claim).end())
                .toList();
    }

    private void read(String word, String value) {
        String[] words = value.split(" +", -1);
        switch (word) {
            case "then" -> then = value;
            case "since" -> since = value;
            case "needs" -> needs(value);
            case "jmh", "http", "framework", "echo", "pass", "burst", "waiting", "exchange" ->
                comparison(Engine.valueOf(word.toUpperCase(Locale.ROOT)), value.split(": ", 2));
            case "load" -> work = value;
            case "jvm" -> jvm = List.of(words);
            case "turns" -> pace = pace.turns(Integer.parseInt(words[0]), Integer.parseInt(words[2]));
            case "compare" -> compare(value);
            case "asks" -> question = Question.of(value);
            case "figures" -> figures = List.of(words);
            case "shapes" -> shapes = " " + SHAPE + "=" + String.join(",", words);
            case "scaled" -> {
                scaled = words[0];
                unit = Double.parseDouble(words[1]);
            }
            case "decide", "more" -> cells(word.equals("decide"), Stream.of(value.split("; ", -1)));
            default -> throw new IllegalArgumentException(id + ": no such word: " + word);
        }
    }

    private void needs(String what) {
        String lacking = switch (what) {
            case "virtual threads" -> VirtualThreads.obstacle().orElse("");
            case "a resident set" ->
                Files.isReadable(Footprint.STATUS) ? "" : "the resident set is read from " + Footprint.STATUS;
            case "a little-endian machine" ->
                ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? "" : "this machine is not little-endian";
            default -> throw new IllegalArgumentException(id + ": no such need: " + what);
        };
        if (name.isEmpty()) {
            obstacle = lacking;
        } else {
            dropped = !lacking.isEmpty();
        }
    }

    private void comparison(Engine kind, String[] workAndSides) {
        endMatch();
        String[] named = workAndSides[0].split(" as ", 2);
        engine = kind;
        work = kind.isOnce() && kind != Engine.WAITING ? PASSES + named[0] : named[0];
        name = named.length > 1 ? named[1] : kind == Engine.JMH ? id + " " + work : work.replaceAll(".*\\.", "");
        pace = switch (kind) {
            case JMH -> PACE;
            case HTTP, FRAMEWORK -> Pace.SERVER.turns(10, 60);
            case ECHO, EXCHANGE -> PACE.turns(10, 60); // they have little to compile
            case PASS, BURST, WAITING -> Pace.ONCE;
        };
        scaled = "";
        dropped = false;
        compare(workAndSides[1]);
    }

    private void compare(String text) {
        String[] sides = text.split(" against ", 2);
        boolean target = sides[0].startsWith(PassContestant.TARGET);
        alternatives = target
                ? List.of(new Variant(
                        PassContestant.TARGET,
                        grid(sides[0].substring(PassContestant.TARGET.length() + 1))
                                .get(0)))
                : grid(sides[0]).stream().map(own -> side(own, "other")).toList();
        running.addAll(alternatives);
        base = side(grid(sides[1]).get(0), "base");
    }

    private static Variant side(Map<String, String> parameters, String otherwise) {
        String contender = parameters.get(CONTENDER);
        List<String> options =
                contender == null ? List.of() : Contenders.valueOf(contender).jvmArguments();
        String called = parameters.isEmpty() ? otherwise : label(parameters);
        return new Variant(called, List.of(), options, parameters);
    }

    private void cells(boolean decide, Stream<String> grids) {
        if (dropped) {
            return;
        }
        for (Map<String, String> parameters :
                grids.flatMap(grid -> grid(grid + shapes).stream()).toList()) {
            Cell cell = cell(parameters);
            List<Trial> trials = cells.computeIfAbsent(cell, unseen -> new ArrayList<>());
            for (Variant alternative : alternatives) {
                for (String figure : figures) {
                    Trial trial = trial(cell, parameters, alternative, figure);
                    if (trials.stream().noneMatch(other -> asksTheSame(other, trial))) {
                        trials.add(trial);
                    }
                    if (decide) {
                        deciding.add(Claim.key(trial));
                    }
                }
            }
        }
    }

    /**
     * Parameters as a claim writes them: {@code sink=file,socket size=512} is all combinations of these values, each in the order of the
     * text, and {@code -} the one combination of nothing.
     */
    static List<Map<String, String>> grid(String text) {
        List<Map<String, String>> all = new ArrayList<>(List.of(Map.of()));
        for (String part : text.equals("-") ? new String[0] : text.split(" +", -1)) {
            int equals = part.indexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException("not NAME=VALUE,VALUE: " + part);
            }
            List<Map<String, String>> more = new ArrayList<>();
            for (Map<String, String> one : all) {
                for (String value : part.substring(equals + 1).split(",", -1)) {
                    Map<String, String> longer = new LinkedHashMap<>(one);
                    longer.put(part.substring(0, equals), value);
                    more.add(longer);
                }
            }
            all = more;
        }
        return all;
    }

    /** The values, for people. */
    static String label(Map<String, String> parameters) {
        return String.join(", ", parameters.values());
    }

    private Cell cell(Map<String, String> parameters) {
        Map<String, String> common = new LinkedHashMap<>();
        Map<String, String> ofBase = new LinkedHashMap<>();
        parameters.forEach((key, value) -> {
            if (key.startsWith(OF_BASE)) {
                ofBase.put(key.substring(OF_BASE.length()), value);
            } else {
                common.put(key, value);
            }
        });
        String of = engine == Engine.JMH || engine.isOnce() ? name : name + " " + work;
        return new Cell(parameters.isEmpty() ? of : of + ": " + label(parameters), work, common, ofBase);
    }

    private Trial trial(Cell cell, Map<String, String> parameters, Variant alternative, String figure) {
        Map<String, String> named = new LinkedHashMap<>(parameters);
        String shape = named.remove(SHAPE);
        List<String> called = new ArrayList<>();
        if (alternatives.size() > 1 || named.isEmpty()) {
            called.add(question.ofBase() ? "against " + alternative.name() : alternative.name());
        }
        if (!named.isEmpty()) {
            called.add(label(named));
        }
        if (!figure.equals(Trial.CPU)) {
            called.add(figure);
        }
        return new Trial(
                String.join(", ", called),
                shape == null ? "" : shape,
                cell.name(),
                alternative.name(),
                figure,
                scaled.isEmpty() ? 1 : Double.parseDouble(cell.ofBase().getOrDefault(scaled, "1")) / unit,
                question);
    }

    private static boolean asksTheSame(Trial one, Trial other) {
        return Claim.key(one).equals(Claim.key(other)) && one.question().equals(other.question());
    }

    private void endMatch() {
        if (!cells.isEmpty()) {
            List<Trial> trials = cells.values().stream().flatMap(List::stream).toList();
            comparisons.add(new Comparison(
                    name, engine, pace, jvm, base, List.copyOf(running), List.copyOf(cells.keySet()), trials));
            cells.clear();
        }
        running.clear();
    }

    private Claim end() {
        endMatch();
        if (comparisons.size() > 1) {
            comparisons.replaceAll(this::labelled);
        }
        return new Claim(id, source, statement, then, since, obstacle, comparisons, deciding);
    }

    /** Its trials say of which comparison they are. */
    private Comparison labelled(Comparison comparison) {
        String name = comparison.name().replaceFirst("\\w+Benchmark\\.", "").replaceFirst("^" + id + " ", "");
        return comparison.only(
                comparison.cells(),
                comparison.trials().stream()
                        .map(trial -> trial.labelled(name + ": " + trial.label()))
                        .toList());
    }
}
