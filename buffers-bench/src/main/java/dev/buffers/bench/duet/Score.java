package dev.buffers.bench.duet;

import dev.buffers.bench.duet.Journal.Played;
import dev.buffers.bench.duet.Journal.Slice;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * How a challenger stands against the base in one trial, from the journal alone.
 *
 * @param pairs how many pairs of JVMs have played it to the end
 * @param counted how many of them count: others did not use too much of the machine meanwhile, and the clocks agree
 * @param cost the challenger's figure to the base's
 * @param wall the same for wall time
 * @param base the base's figure
 * @param challenger the challenger's figure, scaled
 * @param verdict the answer to the trial's question, at the last look
 */
public record Score(
        Trial trial,
        int pairs,
        int counted,
        Estimate cost,
        Estimate wall,
        double base,
        double challenger,
        Verdict verdict) {

    public static Score of(Journal journal, Trial trial) {
        List<Played> all = journal.played().stream()
                .filter(played ->
                        played.cell().equals(trial.cell()) && played.warmth().containsKey(trial.challenger()))
                .toList();
        List<Played> counted = all.stream().filter(journal::counts).toList();
        int last = Looks.last(counted.size());
        Set<Integer> decisive = counted.stream()
                .limit(last == 0 ? counted.size() : last)
                .map(Played::pair)
                .collect(Collectors.toSet());
        List<Slice> slices = journal.slices(trial.cell()).stream()
                .filter(slice -> decisive.contains(slice.pair())
                        && (slice.base() || slice.side().equals(trial.challenger())))
                .toList();
        Collection<List<Slice>> pairs =
                slices.stream().collect(Collectors.groupingBy(Slice::pair)).values();
        Estimate cost = estimate(pairs, trial.figure(), trial.scale());
        Verdict verdict = last > 0
                ? Verdict.of(trial.question(), cost)
                : all.isEmpty() ? Verdict.NOT_RUN : counted.size() < all.size() ? Verdict.WITHHELD : Verdict.OPEN;
        return new Score(
                trial,
                all.size(),
                counted.size(),
                cost,
                estimate(pairs, Trial.WALL, trial.scale()),
                median(slices, true, trial.figure()),
                median(slices, false, trial.figure()) * trial.scale(),
                verdict);
    }

    /** How many times better the side is that the trial asks about. */
    public Estimate better() {
        return trial.question().better(cost);
    }

    /** Whether the answer is no, with at most that probability of an error. */
    boolean isRefuted(double wrong) {
        return counted >= Looks.FIRST && trial.question().refutedBy(cost, wrong);
    }

    /** Whether no further pair is needed: those that count are as many as a look needs, and as are wanted, and it has decided. */
    boolean isDecided(int leastPairs) {
        return Looks.isLook(counted) && counted >= leastPairs && verdict != Verdict.OPEN || counted >= Looks.LAST;
    }

    /** As it stands after so many pairs if the further ones say what these do; as it is if there are as many, or too few to say anything. */
    Score after(int more) {
        if (counted >= more || !cost.isKnown()) {
            return this;
        }
        Estimate same = new Estimate(more, cost.mean(), cost.error() * Math.sqrt((double) cost.pairs() / more));
        return new Score(trial, more, more, same, wall, base, challenger, Verdict.of(trial.question(), same));
    }

    private static Estimate estimate(Collection<List<Slice>> pairs, String figure, double scale) {
        return Estimate.of(pairs.stream()
                .mapToDouble(slices -> Math.log(scale) + medianOfQuads(slices, figure))
                .toArray());
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

    private static double median(List<Slice> slices, boolean base, String figure) {
        return Estimate.median(slices.stream()
                .filter(slice -> slice.base() == base)
                .mapToDouble(slice -> slice.turn().cost(figure))
                .toArray());
    }
}
