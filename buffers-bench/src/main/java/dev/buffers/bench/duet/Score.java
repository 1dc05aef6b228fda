package dev.buffers.bench.duet;

import dev.buffers.bench.duet.Contestant.Turn;
import dev.buffers.bench.duet.Journal.Played;
import dev.buffers.bench.duet.Journal.Slice;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * How a challenger stands against the base in one trial, from the journal alone.
 *
 * @param pairs how many pairs of JVMs have played it to the end
 * @param disturbed how many of them do not count, because others used too much of the machine meanwhile, or the clocks do not agree
 * @param cold how many of those that count were not warm
 * @param cost the challenger's figure to the base's
 * @param wall the same for wall time
 * @param base the base's figure
 * @param challenger the challenger's figure, scaled
 * @param verdict the answer to the trial's question, at the last look
 */
public record Score(
        Trial trial,
        int pairs,
        int disturbed,
        int cold,
        Estimate cost,
        Estimate wall,
        double base,
        double challenger,
        Verdict verdict) {

    /** What the journal says of it so far. */
    public static Score of(Journal journal, Trial trial) {
        List<Played> all = journal.played().stream()
                .filter(played ->
                        played.cell().equals(trial.cell()) && played.warmth().containsKey(trial.challenger()))
                .toList();
        List<Played> counted = all.stream().filter(journal::counts).toList();
        int last = Looks.last(counted.size());
        List<Played> decisive = last == 0 ? counted : counted.subList(0, last);
        Map<Integer, List<Slice>> slices = new TreeMap<>();
        for (Played played : decisive) {
            slices.put(played.pair(), new ArrayList<>());
        }
        for (Slice slice : journal.slices(trial.cell())) {
            List<Slice> pair = slices.get(slice.pair());
            if (pair != null && (slice.base() || slice.side().equals(trial.challenger()))) {
                pair.add(slice);
            }
        }
        Estimate cost = estimate(slices, trial.figure(), trial.scale());
        Verdict verdict = last > 0
                ? trial.question().answer(cost)
                : all.isEmpty() ? Verdict.NOT_RUN : counted.size() < all.size() ? Verdict.WITHHELD : Verdict.OPEN;
        return new Score(
                trial,
                all.size(),
                all.size() - counted.size(),
                (int) decisive.stream().filter(played -> !isWarm(played)).count(),
                cost,
                estimate(slices, Trial.WALL, trial.scale()),
                middle(slices, trial.figure(), Slice::base),
                middle(slices, trial.figure(), slice -> !slice.base()) * trial.scale(),
                verdict);
    }

    /** The pairs that count. */
    public int counted() {
        return pairs - disturbed;
    }

    /** How many times better the side is that the trial asks about. */
    public Estimate better() {
        return trial.question().better(cost);
    }

    /** Whether the answer is no, with at most that probability of an error. */
    boolean isRefuted(double wrong) {
        return counted() >= Looks.FIRST && trial.question().refutedBy(cost, wrong);
    }

    /** Whether no further pair is needed: those that count are as many as a look needs, and as are wanted, and it has decided. */
    boolean isDecided(int leastPairs) {
        return Looks.isLook(counted()) && counted() >= leastPairs && verdict != Verdict.OPEN || counted() >= Looks.LAST;
    }

    private static boolean isWarm(Played played) {
        return played.warmth().values().stream().allMatch(Contestant.Warmth::warm);
    }

    private static Estimate estimate(Map<Integer, List<Slice>> pairs, String figure, double scale) {
        return Estimate.of(pairs.values().stream()
                .mapToDouble(slices -> Math.log(scale) + medianOfQuads(slices, figure))
                .toArray());
    }

    /** Of the logarithms of each quad's ratio. */
    static double medianOfQuads(List<Slice> slices, String figure) {
        Map<Integer, List<Slice>> quads = new TreeMap<>();
        slices.forEach(slice ->
                quads.computeIfAbsent(slice.quad(), quad -> new ArrayList<>()).add(slice));
        return Median.of(quads.values().stream()
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

    private static double middle(Map<Integer, List<Slice>> pairs, String figure, Predicate<Slice> side) {
        double[] costs = pairs.values().stream()
                .flatMap(List::stream)
                .filter(side)
                .map(Slice::turn)
                .mapToDouble((Turn turn) -> turn.cost(figure))
                .toArray();
        return costs.length == 0 ? Double.NaN : Median.of(costs);
    }
}
