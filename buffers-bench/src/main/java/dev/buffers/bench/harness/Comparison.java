// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.harness;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A base and one or more alternatives, each a separate JVM. The JVMs take turns and run the cells one after another.
 *
 * @param name for people; no two comparisons of a run have the same
 * @param jvmArguments of all sides
 * @param trials the questions about it
 */
public record Comparison(
        String name,
        Engine engine,
        Pace pace,
        List<String> jvmArguments,
        Variant base,
        List<Variant> alternatives,
        List<Cell> cells,
        List<Trial> trials) {
    /** A parameter of work that is done once: a little of it is enough. */
    public static final String LITTLE = "little";

    private static final int START_MILLIS = 700;

    /** How many JVMs work at the same time where only memory counts: each takes up to a gigabyte. */
    private static final int KEEPING_AT_ONCE = 3;

    /** The base's name when it runs against itself. */
    public static final String CONTROL = "control";

    public Comparison {
        jvmArguments = List.copyOf(jvmArguments);
        alternatives = List.copyOf(alternatives);
        cells = List.copyOf(cells);
        trials = List.copyOf(trials);
    }

    /** Of one cell, with the same question about each alternative's CPU time. */
    public static Comparison of(
            String name,
            Engine engine,
            Pace pace,
            Variant base,
            List<Variant> alternatives,
            Cell cell,
            Question question) {
        List<Trial> trials = alternatives.stream()
                .map(alternative -> Trial.of(cell.name(), alternative.name(), question))
                .toList();
        return new Comparison(name, engine, pace, List.of(), base, alternatives, List.of(cell), trials);
    }

    public enum Engine {
        /** A JVM that runs JMH benchmarks. */
        JMH,
        /** The bench's own web server, under load. */
        HTTP,
        /** A framework's web server, under load. */
        FRAMEWORK,
        /** An echo server, under load. */
        ECHO,
        /** A JVM that does its work once, and says what it used or keeps. */
        PASS,
        /** A framework's web server, and what it keeps of a burst. */
        BURST,
        /** A framework's web server, and what it holds for each connection that waits. */
        WAITING,
        /** The same, whose connections exchange small messages in turn. */
        EXCHANGE;

        /** Whether its work is done once in each JVM. */
        public boolean isOnce() {
            return this == PASS || this == BURST || this == WAITING;
        }
    }

    /**
     * How long the turns are.
     *
     * @param quads turns A B B A of each pair of JVMs in each cell
     * @param sliceMillis how long one turn is, where CPU time is the sum over threads
     * @param warmMillis CPU time that a cell is warmed
     * @param quietMillis for how long next to nothing may have been compiled then
     */
    public record Pace(int quads, int sliceMillis, int warmMillis, int quietMillis) {
        /** Of a JMH benchmark. */
        public static final Pace USUAL = new Pace(20, 20, 2000, 300);

        /** Of a server: its load takes a while to fill its connections. */
        public static final Pace SERVER = new Pace(24, 60, 1200, 300);

        /** Of work that is done once: all turns give the same figures. */
        public static final Pace ONCE = new Pace(1, 20, 0, 0);

        public Pace turns(int otherQuads, int otherMillis) {
            return new Pace(otherQuads, otherMillis, warmMillis, quietMillis);
        }

        /** For a further cell of a benchmark: its code is compiled, except the part that only the new parameters reach. */
        Pace again() {
            return new Pace(quads, sliceMillis, Math.min(warmMillis, 2 * quietMillis), quietMillis);
        }
    }

    public Comparison only(List<Cell> someCells, List<Trial> someTrials) {
        List<Variant> running = alternatives.stream()
                .filter(alternative -> someTrials.stream()
                        .anyMatch(trial -> trial.alternative().equals(alternative.name())))
                .toList();
        return new Comparison(name, engine, pace, jvmArguments, base, running, someCells, someTrials);
    }

    /** With one more argument of all JVMs. */
    public Comparison with(String jvmArgument) {
        List<String> arguments = new ArrayList<>(jvmArguments);
        arguments.add(jvmArgument);
        return new Comparison(name, engine, pace, arguments, base, alternatives, cells, trials);
    }

    /** So short that the figures prove nothing: work that is done once does little too. */
    public Comparison quick() {
        List<Cell> little = cells.stream()
                .map(cell -> {
                    Map<String, String> more = new HashMap<>(cell.parameters());
                    more.put(LITTLE, "true");
                    return engine.isOnce() ? new Cell(cell.name(), cell.work(), more, cell.ofBase()) : cell;
                })
                .toList();
        Pace hasty = new Pace(1, Math.min(pace.sliceMillis(), 20), Math.min(pace.warmMillis(), 50), 0);
        return new Comparison(name, engine, hasty, jvmArguments, base, alternatives, little, trials);
    }

    /** How many sides warm up, or do their work, at once. Timed work that is done once runs on one side at a time. */
    int atOnce() {
        boolean takesTime = trials.stream()
                .anyMatch(trial ->
                        trial.figure().equals(Trial.CPU) || trial.figure().equals(Trial.WALL));
        return switch (engine) {
            case JMH, HTTP, FRAMEWORK, ECHO, EXCHANGE -> Integer.MAX_VALUE;
            case PASS -> takesTime ? 1 : KEEPING_AT_ONCE;
            case BURST -> 1; // the load takes all of the machine
            case WAITING -> 2; // most of the time they wait
        };
    }

    /** About how long a round takes: start, warm-up (JMH two at a time), and turns, a quarter longer for the work of JMH between them. */
    public double roundSeconds() {
        long sides = 1
                + alternatives.stream()
                        .filter(side -> !side.name().equals(PassContestant.TARGET))
                        .count();
        if (engine.isOnce()) {
            return Math.ceil((double) sides / atOnce()) * (START_MILLIS + pace.sliceMillis()) / 1e3;
        }
        double turns = 2.0 * pace.quads() * pace.sliceMillis() * 1.25 * sides * cells.size();
        double warming = engine == Engine.JMH
                ? 1.3
                        * Math.max(1, sides / 2.0)
                        * (pace.warmMillis() + (cells.size() - 1) * pace.again().warmMillis())
                : 1.0 * pace.warmMillis() * sides * cells.size();
        return (START_MILLIS * sides + warming + turns) / 1e3;
    }

    Map<String, String> parameters(Cell cell, Variant side) {
        Map<String, String> all = new HashMap<>(cell.parameters());
        if (side.name().equals(base.name()) || side.name().equals(CONTROL)) {
            all.putAll(cell.ofBase());
        }
        all.putAll(side.parameters());
        return all;
    }
}
