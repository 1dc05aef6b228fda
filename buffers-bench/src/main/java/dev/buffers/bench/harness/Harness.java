// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.harness;

import dev.buffers.bench.harness.Contestant.Slices;
import dev.buffers.bench.harness.Contestant.Turn;
import dev.buffers.bench.harness.Contestant.Warmth;
import dev.buffers.bench.harness.Journal.Measured;
import dev.buffers.bench.harness.Journal.Slice;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Lets resident JVMs take turns until the cheaper one is known. A round starts new JVMs, one for the base and one for each
 * alternative, and runs the cells one after another: base, alternatives, and back again, in slices of milliseconds. That makes a
 * quad (base, alternative, alternative, base) for each alternative. A drift during a quad affects all sides alike. A server's turn that
 * follows its own is up to a tenth cheaper, because the caches are warm: with several alternatives each quad has another order.
 *
 * <p>Rounds follow until the interim analyses have decided every trial, or the time is over. Every comparison gets as many rounds as the
 * first analysis needs. From then on, the comparison that is expected to reach a verdict first runs next, and after these the one whose
 * next analysis is the earliest. The trials of a decided claim stop after the first analysis. A claim can be open though each of its
 * trials is decided, because they share its error budget: then all of them continue.
 */
public final class Harness {
    /** The process clock moves in steps of 10 ms; a slice by that clock has fifty of them. */
    private static final int PROCESS_CLOCK_MILLIS = 500;

    private static final Duration NEVER = Duration.ofSeconds(Long.MAX_VALUE);

    private final Journal journal;
    private final List<List<Trial>> claims;
    private final Opener opener;
    private final Progress progress;
    private final InstantSource clock;
    private final Path proc;
    private final Map<Comparison, Integer> resumed = new HashMap<>();
    private final Map<Comparison, Integer> begun = new HashMap<>();
    private final Map<Comparison, Duration> lastRound = new HashMap<>();
    private final Set<Contestant> open = ConcurrentHashMap.newKeySet();
    private int nextPair;
    private volatile boolean stopped;

    @FunctionalInterface
    public interface Opener {
        Contestant open(Comparison comparison, Variant side) throws IOException, InterruptedException;
    }

    private record Runner(Variant side, Contestant contestant) {}

    /**
     * What may be measured after the first analysis.
     *
     * @param analysis up to which
     * @param time that this takes
     * @param decision the time until something is decided, if all goes on as it does; {@link #NEVER} if nothing is, or too late
     */
    private record Next(Comparison comparison, int analysis, Duration time, Duration decision) {}

    /**
     * One that has not begun.
     *
     * @param claims trials that decide a claim together, as far as there are any
     * @param proc where the kernel counts what other programs use
     */
    public Harness(
            Journal journal,
            List<List<Trial>> claims,
            Opener opener,
            Progress progress,
            InstantSource clock,
            Path proc) {
        this.journal = journal;
        this.claims = claims;
        this.opener = opener;
        this.progress = progress;
        this.clock = clock;
        this.proc = proc;
        this.nextPair = journal.nextPair();
        journal.header().comparisons().forEach(comparison -> resumed.put(comparison, journal.rounds(comparison)));
    }

    /** Ends {@link #run} at once; completed measurements count. From any thread. */
    public void stop() {
        stopped = true;
        open.forEach(Contestant::close);
    }

    public boolean isStopped() {
        return stopped;
    }

    /**
     * Runs all comparisons. A failure ends its comparison and is in the journal. After the first analysis a comparison runs on only if the
     * time is enough for its next one.
     *
     * @param deadline when the last round is to end; one that takes longer than the one before ends later
     */
    public void run(Instant deadline) throws IOException, InterruptedException {
        for (Comparison comparison : journal.header().comparisons()) {
            runTo(InterimAnalyses.FIRST, comparison, deadline);
        }
        Optional<Next> next = next(deadline);
        while (next.isPresent()) {
            runTo(next.get().analysis, next.get().comparison, deadline);
            next = next(deadline);
        }
    }

    private void runTo(int analysis, Comparison comparison, Instant deadline) throws IOException, InterruptedException {
        List<Trial> undecided = undecided(comparison, analysis);
        while (!undecided.isEmpty() && mayBegin(comparison, analysis) && hasTimeFor(comparison, deadline)) {
            Instant begin = clock.instant();
            runRound(comparison, undecided);
            lastRound.put(comparison, Duration.between(begin, clock.instant()));
            undecided = undecided(comparison, analysis);
        }
    }

    /** Whether another round ends in time, if it takes as long as the one before. */
    private boolean hasTimeFor(Comparison comparison, Instant deadline) {
        Duration round = lastRound.getOrDefault(comparison, Duration.ZERO);
        return hasTime(deadline) && !clock.instant().isAfter(deadline.minus(round));
    }

    private boolean hasTime(Instant deadline) {
        return !stopped && clock.instant().isBefore(deadline);
    }

    private Optional<Next> next(Instant deadline) {
        if (!hasTime(deadline)) {
            return Optional.empty();
        }
        Duration left = Duration.between(clock.instant(), deadline);
        return journal.header().comparisons().stream()
                .map(comparison -> next(comparison, left))
                .flatMap(Optional::stream)
                .filter(next -> next.time.compareTo(left) <= 0)
                .min(Comparator.comparing(Next::decision)
                        .thenComparingInt(Next::analysis)
                        .thenComparing(Next::time));
    }

    private Optional<Next> next(Comparison comparison, Duration left) {
        List<Trial> undecided = undecided(comparison, InterimAnalyses.LAST);
        int counted = undecided.stream()
                .mapToInt(trial -> Score.of(journal, trial).counted())
                .min()
                .orElse(InterimAnalyses.LAST);
        Duration round =
                lastRound.getOrDefault(comparison, Duration.ofMillis(Math.round(1e3 * comparison.roundSeconds())));
        Duration decision = InterimAnalyses.PAIRS.stream()
                .filter(analysis ->
                        analysis > counted && analysis >= journal.header().leastPairs())
                .filter(analysis -> undecided.stream().anyMatch(trial -> decides(trial, analysis)))
                .map(analysis -> round.multipliedBy(analysis - counted))
                .filter(time -> time.compareTo(left) <= 0)
                .findFirst()
                .orElse(NEVER);
        return InterimAnalyses.PAIRS.stream()
                .filter(analysis -> analysis > counted && mayBegin(comparison, analysis))
                .findFirst()
                .map(analysis -> new Next(comparison, analysis, round.multipliedBy(analysis - counted), decision));
    }

    /** Whether a trial, or a claim that it is in, is decided at an analysis if all goes on as it does. */
    private boolean decides(Trial trial, int analysis) {
        boolean itself = after(analysis, trial).verdict() != Verdict.OPEN;
        List<List<Trial>> its =
                claims.stream().filter(claim -> claim.contains(trial)).toList();
        return its.isEmpty()
                ? itself
                : its.stream()
                        .anyMatch(claim -> Verdict.ofScores(claim.stream()
                                        .map(other -> after(analysis, other))
                                        .toList())
                                .map(found -> found.verdict().isDecided())
                                .orElse(itself));
    }

    private Score after(int analysis, Trial trial) {
        return Score.of(journal, trial).after(analysis);
    }

    /** The trials that have to go on before an analysis. */
    private List<Trial> undecided(Comparison comparison, int analysis) {
        return comparison.trials().stream()
                .filter(trial -> isWanted(trial, analysis))
                .toList();
    }

    private boolean isWanted(Trial trial, int analysis) {
        Score score = Score.of(journal, trial);
        int least = journal.header().leastPairs();
        boolean open = !score.isDecided(least);
        List<List<Trial>> its =
                claims.stream().filter(claim -> claim.contains(trial)).toList();
        if (score.counted() >= analysis) {
            return false;
        }
        return score.counted() < Math.max(InterimAnalyses.FIRST, least) || its.isEmpty()
                ? open
                : its.stream().anyMatch(claim -> goesOn(claim, open));
    }

    /** Whether a claim needs more of a trial that is {@code open} or decided. */
    private boolean goesOn(List<Trial> claim, boolean open) {
        List<Score> all = claim.stream().map(trial -> Score.of(journal, trial)).toList();
        Optional<Verdict.Finding> found = Verdict.ofScores(all);
        if (found.isEmpty()) {
            return open; // nothing is claimed
        }
        return !found.get().verdict().isDecided() && (open || all.stream().allMatch(this::isSettled));
    }

    /** Whether it is decided, and not given up. */
    private boolean isSettled(Score score) {
        return score.isDecided(journal.header().leastPairs()) && score.verdict() != Verdict.OPEN;
    }

    /** Whether an analysis, and the limit of the whole run, allow one more round. */
    private boolean mayBegin(Comparison comparison, int analysis) {
        int rounds = begun.getOrDefault(comparison, 0);
        return rounds < most(analysis) && rounds < journal.header().mostPairs() - resumed.getOrDefault(comparison, 0);
    }

    /** Half as many rounds again as an analysis needs, for those that others disturb. */
    private int most(int analysis) {
        return Math.min(journal.header().mostPairs(), analysis + (analysis + 1) / 2);
    }

    private void runRound(Comparison comparison, List<Trial> undecided) throws IOException, InterruptedException {
        int round = begun.merge(comparison, 1, Integer::sum) - 1;
        Map<Cell, List<Variant>> cells = alternatives(comparison, undecided);
        List<Variant> sides = new ArrayList<>(List.of(comparison.base()));
        cells.values().stream().flatMap(List::stream).distinct().forEach(sides::add);
        if (round % 2 == 1) {
            Collections.reverse(sides); // the one that starts first may have it better, or worse
        }
        List<Runner> runners = new ArrayList<>();
        int pair = nextPair++;
        try {
            for (Variant side : sides) {
                progress.doing(comparison, round, side.name() + " starts");
                Contestant contestant = opener.open(comparison, side);
                runners.add(new Runner(side, contestant));
                open.add(contestant);
                if (stopped) {
                    throw new IOException("stopped");
                }
            }
            for (Map.Entry<Cell, List<Variant>> cell : cells.entrySet()) {
                List<Runner> running = new ArrayList<>(runners);
                running.removeIf(runner -> !runner.side.equals(comparison.base())
                        && !cell.getValue().contains(runner.side));
                Collections.rotate(running, running.size() > 2 ? round : 0);
                Machine machine = Machine.watch(proc);
                Neighbours neighbours = Neighbours.watch();
                Duration before = cpu(runners);
                Measured measured = run(comparison, cell.getKey(), running, pair, round);
                Optional<Machine.Load> load =
                        machine.since(cpu(runners).minus(before)).map(others -> others.with(neighbours.busiest()));
                Measured beside = measured.beside(load.orElse(null));
                journal.add(beside);
                progress.measured(comparison, beside);
            }
        } catch (IOException | RuntimeException e) {
            if (!stopped) {
                String failure = comparison.name() + ": " + e.getMessage();
                begun.put(comparison, Integer.MAX_VALUE); // no further round
                journal.addFailure(failure);
                progress.failed(failure);
            }
        } finally {
            for (Runner runner : runners) {
                runner.contestant.close();
                open.remove(runner.contestant);
            }
        }
    }

    /** Whom the base runs in each cell, the control among them. */
    private Map<Cell, List<Variant>> alternatives(Comparison comparison, List<Trial> undecided) {
        Map<Cell, List<Variant>> all = new LinkedHashMap<>();
        for (Cell cell : comparison.cells()) {
            List<String> names = undecided.stream()
                    .filter(trial -> trial.cell().equals(cell.name()))
                    .map(Trial::alternative)
                    .toList();
            List<Variant> alternatives = new ArrayList<>(comparison.alternatives());
            alternatives.removeIf(side -> !names.contains(side.name()));
            if (!alternatives.isEmpty()) {
                if (journal.header().controlled().contains(cell.name())) {
                    alternatives.add(comparison.base().as(Comparison.CONTROL));
                }
                all.put(cell, alternatives);
            }
        }
        return all;
    }

    /** One cell of one round. As many contestants warm up in turns as the comparison allows: that is not measured. */
    private Measured run(Comparison comparison, Cell cell, List<Runner> order, int pair, int round)
            throws IOException, InterruptedException {
        Map<String, Warmth> warmth = new LinkedHashMap<>();
        int atOnce = Math.min(order.size(), comparison.atOnce());
        for (int from = 0; from < order.size(); from += atOnce) {
            List<Runner> some = order.subList(from, Math.min(order.size(), from + atOnce));
            for (Runner runner : some) {
                runner.contestant.begin(cell, comparison.parameters(cell, runner.side));
            }
            List<Runner> cold = new ArrayList<>(some);
            while (!cold.isEmpty()) {
                for (Iterator<Runner> left = cold.iterator(); left.hasNext(); ) {
                    Runner runner = left.next();
                    progress.doing(comparison, round, runner.side.name() + " warms up");
                    Optional<Warmth> warm = runner.contestant.warm();
                    if (warm.isPresent()) {
                        warmth.put(runner.side.name(), warm.get());
                        left.remove();
                    }
                }
            }
        }
        boolean threadClock = warmth.values().stream().allMatch(Warmth::threadClock);
        int millis = Math.max(comparison.pace().sliceMillis(), threadClock ? 0 : PROCESS_CLOCK_MILLIS);
        Slices slices = new Slices(2 * comparison.pace().quads(), millis, threadClock);
        for (Runner runner : order) {
            runner.contestant.prepare(slices);
        }
        for (Runner runner : order) {
            runner.contestant.ready();
        }
        for (int quad = 0; quad < comparison.pace().quads(); quad++) {
            progress.doing(comparison, round, "all take turns");
            Collections.rotate(order, order.size() > 2 ? 1 : 0);
            for (int turn = 0; turn < 2 * order.size(); turn++) {
                Runner runner = order.get(turn < order.size() ? turn : 2 * order.size() - 1 - turn);
                boolean base = runner.side.equals(comparison.base());
                Turn did = runner.contestant.slice();
                journal.add(new Slice(pair, cell.name(), runner.side.name(), quad, base, did));
            }
        }
        boolean agreed = true;
        for (Runner runner : order) {
            agreed &= runner.contestant.finished();
        }
        return new Measured(pair, cell.name(), warmth, agreed, null);
    }

    private static Duration cpu(List<Runner> runners) {
        Duration sum = ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
        for (Runner runner : runners) {
            sum = sum.plus(runner.contestant.cpu());
        }
        return sum;
    }
}
