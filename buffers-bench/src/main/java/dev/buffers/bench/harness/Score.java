// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.harness;

import static java.util.Objects.requireNonNull;

import dev.buffers.bench.harness.Journal.Measured;
import dev.buffers.bench.harness.Journal.Slice;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How an alternative stands against the base in one trial, from the journal alone.
 *
 * @param pairs how many pairs of JVMs have measured it to the end
 * @param counted how many of them count: others did not use too much of the machine, and the clocks agree
 * @param cost the alternative's figure to the base's
 * @param wall the same for wall time
 * @param verdict the answer to the trial's question, at the last analysis; open or withheld if the run asks for more pairs than that has
 */
public record Score(Trial trial, int pairs, int counted, Estimate cost, Estimate wall, Verdict verdict) {

    public static Score of(Journal journal, Trial trial) {
        List<Measured> all = journal.measured().stream()
                .filter(measured -> measured.cell().equals(trial.cell())
                        && measured.warmth().containsKey(trial.alternative()))
                .toList();
        List<Measured> counted = all.stream().filter(journal::counts).toList();
        int last = InterimAnalyses.last(counted.size());
        Set<Integer> decisive = counted.stream()
                .limit(last == 0 ? counted.size() : last)
                .map(Measured::pair)
                .collect(Collectors.toSet());
        Map<Integer, List<Slice>> pairs = pairs(journal, trial, decisive);
        double widening = counted.stream()
                .filter(measured -> decisive.contains(measured.pair()) && measured.load() != null)
                .mapToDouble(measured -> requireNonNull(measured.load()).widening())
                .average()
                .orElse(1);
        Estimate cost = Estimate.of(logs(pairs, trial, trial.figure()))
                .pooled(alike(journal, trial, decisive))
                .widened(widening);
        boolean decides =
                last >= Math.max(InterimAnalyses.FIRST, journal.header().leastPairs());
        Verdict verdict = decides
                ? Verdict.of(trial.question(), cost)
                : all.isEmpty() ? Verdict.NOT_RUN : counted.size() < all.size() ? Verdict.WITHHELD : Verdict.OPEN;
        return new Score(
                trial,
                all.size(),
                counted.size(),
                cost,
                Estimate.of(logs(pairs, trial, Trial.WALL)).widened(widening),
                verdict);
    }

    /** How many times better the side is that the trial asks about. */
    public Estimate better() {
        return trial.question().better(cost);
    }

    /** Whether the answer is no. The probability of an error is at most {@code wrong}, which is at most {@link Verdict#WRONG}. */
    boolean isRefuted(double wrong) {
        return verdict.isDecided() && trial.question().refutedBy(cost, wrong);
    }

    /** Whether the alternative costs at most so many times as much as the base, as {@link Question.Kind#AT_MOST} decides it. */
    public boolean isAtMost(double bound) {
        Question question = new Question(Question.Kind.AT_MOST, bound, false);
        return counted >= InterimAnalyses.FIRST && Verdict.of(question, cost) == Verdict.HOLDS;
    }

    /** Whether no further pair is needed: those that count are as many as an analysis needs, and as are wanted, and it has decided. */
    boolean isDecided(int leastPairs) {
        return InterimAnalyses.isAnalysis(counted) && counted >= leastPairs && verdict != Verdict.OPEN
                || counted >= InterimAnalyses.LAST;
    }

    /** The score after so many pairs if the further ones are like these; as it is if there are as many, or too few to say anything. */
    Score after(int more) {
        if (counted >= more || !cost.isKnown()) {
            return this;
        }
        Estimate same = new Estimate(
                more,
                cost.mean(),
                cost.error() * Math.sqrt((double) cost.pairs() / more),
                cost.freedom() / (cost.pairs() - 1) * (more - 1));
        return new Score(trial, more, more, same, wall, Verdict.of(trial.question(), same));
    }

    /** The turns of both sides, by pair. */
    private static Map<Integer, List<Slice>> pairs(Journal journal, Trial trial, Set<Integer> counted) {
        return journal.slices(trial.cell()).stream()
                .filter(slice -> counted.contains(slice.pair())
                        && (slice.base() || slice.side().equals(trial.alternative())))
                .collect(Collectors.groupingBy(Slice::pair, TreeMap::new, Collectors.toList()));
    }

    /** One logarithm for each pair, in their order; fewer where the alternative was not measured in all of them. */
    private static double[] logs(Map<Integer, List<Slice>> pairs, Trial trial, String figure) {
        return pairs.values().stream()
                .filter(slices -> slices.stream().anyMatch(slice -> !slice.base()))
                .mapToDouble(slices -> Math.log(trial.scale()) + medianOfQuads(slices, figure))
                .toArray();
    }

    /** The logarithms of all servers whose error this one's has in common: those of the same cell and pairs where nothing is claimed. */
    private static List<double[]> alike(Journal journal, Trial trial, Set<Integer> counted) {
        Stream<Trial> servers = journal.header().comparisons().stream()
                .filter(comparison -> comparison.engine() == Comparison.Engine.HTTP)
                .flatMap(comparison -> comparison.trials().stream())
                .filter(other -> trial.question().isOpen()
                        && other.cell().equals(trial.cell())
                        && other.figure().equals(trial.figure()));
        return servers.map(other -> logs(pairs(journal, other, counted), other, other.figure()))
                .filter(logs -> logs.length == counted.size())
                .toList();
    }

    /** Of the logarithms of each quad's ratio. */
    static double medianOfQuads(List<Slice> slices, String figure) {
        return Estimate.median(slices.stream().collect(Collectors.groupingBy(Slice::quad)).values().stream()
                .mapToDouble(quad -> Math.log(cost(quad, false, figure) / cost(quad, true, figure)))
                .toArray());
    }

    private static double cost(List<Slice> quad, boolean base, String figure) {
        double sum = 0;
        double ops = 0;
        for (Slice slice : quad) {
            if (slice.base() == base) {
                sum += slice.turn().cost(figure) * slice.turn().ops();
                ops += slice.turn().ops();
            }
        }
        return sum / ops;
    }

    /** The base's figure: the geometric mean over all its pairs that count. The alternative's is that times the ratio. */
    public static double base(Journal journal, Trial trial) {
        Set<Integer> counted = journal.measured().stream()
                .filter(measured -> measured.cell().equals(trial.cell()) && journal.counts(measured))
                .map(Measured::pair)
                .collect(Collectors.toSet());
        Collection<List<Slice>> pairs = journal.slices(trial.cell()).stream()
                .filter(slice -> slice.base() && counted.contains(slice.pair()))
                .collect(Collectors.groupingBy(Slice::pair))
                .values();
        double[] logs = pairs.stream()
                .mapToDouble(slices -> Math.log(Estimate.median(slices.stream()
                        .mapToDouble(slice -> slice.turn().cost(trial.figure()))
                        .toArray())))
                .toArray();
        return logs.length == 0 ? Double.NaN : Estimate.of(logs).ratio();
    }
}
