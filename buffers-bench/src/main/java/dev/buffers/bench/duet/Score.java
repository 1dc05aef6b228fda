package dev.buffers.bench.duet;

import dev.buffers.bench.duet.Contestant.Turn;
import dev.buffers.bench.duet.SliceJournal.Played;
import dev.buffers.bench.duet.SliceJournal.Slice;
import dev.buffers.bench.figures.Median;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/**
 * How a challenger stands against the base in one cell, from the journal alone.
 *
 * @param pairs how many pairs of JVMs have played it to the end
 * @param disturbed how many of them do not count, because others used too much of the machine meanwhile, or the clocks do not agree
 * @param cold how many of those that count were not warm
 * @param cpu the challenger's CPU time for an operation to the base's
 * @param wall the same for wall time
 * @param verdict the answer to the run's question, at the last look
 */
public record Score(
        String cell,
        String challenger,
        int pairs,
        int disturbed,
        int cold,
        Estimate cpu,
        Estimate wall,
        double baseNanos,
        double challengerNanos,
        Verdict verdict) {

    static Score of(SliceJournal journal, String cell, String challenger) {
        boolean busy = journal.header().busy();
        List<Played> all = journal.played().stream()
                .filter(played -> played.cell().equals(cell) && played.warmth().containsKey(challenger))
                .toList();
        List<Played> counted = all.stream()
                .filter(played -> played.agreed() && (busy || isQuiet(played)))
                .toList();
        int last = Looks.last(counted.size());
        List<Played> decisive = last == 0 ? counted : counted.subList(0, last);
        Map<Integer, List<Slice>> slices = new TreeMap<>();
        for (Played played : decisive) {
            slices.put(played.pair(), new ArrayList<>());
        }
        for (Slice slice : journal.slices()) {
            if (slice.cell().equals(cell)
                    && slice.challenger().equals(challenger)
                    && slices.containsKey(slice.pair())) {
                slices.get(slice.pair()).add(slice);
            }
        }
        Estimate cpu = estimate(slices, Turn::cpuNanos);
        Verdict verdict = last > 0
                ? journal.header().question().answer(cpu)
                : all.isEmpty() ? Verdict.NOT_RUN : counted.size() < all.size() ? Verdict.WITHHELD : Verdict.OPEN;
        return new Score(
                cell,
                challenger,
                all.size(),
                all.size() - counted.size(),
                (int) decisive.stream().filter(played -> !isWarm(played)).count(),
                cpu,
                estimate(slices, Turn::wallNanos),
                nanos(slices, true),
                nanos(slices, false),
                verdict);
    }

    /** The pairs that count. */
    int counted() {
        return pairs - disturbed;
    }

    /** Whether no further pair is needed: the pairs that count are as many as a look needs, and it has decided. */
    boolean isDecided() {
        return Looks.isLook(counted()) && verdict != Verdict.OPEN || counted() >= Looks.LAST;
    }

    private static boolean isQuiet(Played played) {
        return played.load() == null || played.load().isQuiet();
    }

    private static boolean isWarm(Played played) {
        return played.warmth().values().stream().allMatch(Contestant.Warmth::warm);
    }

    private static Estimate estimate(Map<Integer, List<Slice>> pairs, ToLongFunction<Turn> figure) {
        return Estimate.of(pairs.values().stream()
                .mapToDouble(slices -> medianOfQuads(slices, figure))
                .toArray());
    }

    /** Of the logarithms of each quad's ratio. */
    static double medianOfQuads(List<Slice> slices, ToLongFunction<Turn> figure) {
        Map<Integer, List<Slice>> quads = new TreeMap<>();
        slices.forEach(slice ->
                quads.computeIfAbsent(slice.quad(), quad -> new ArrayList<>()).add(slice));
        return Median.of(quads.values().stream()
                .mapToDouble(quad -> Math.log(cost(quad, false, figure) / cost(quad, true, figure)))
                .toArray());
    }

    private static double cost(List<Slice> quad, boolean base, ToLongFunction<Turn> figure) {
        double sum = 0;
        double ops = 0;
        for (Slice slice : quad) {
            if (slice.base() == base) {
                sum += figure.applyAsLong(slice.turn());
                ops += slice.turn().ops();
            }
        }
        return sum / ops;
    }

    private static double nanos(Map<Integer, List<Slice>> pairs, boolean base) {
        double[] costs = pairs.values().stream()
                .flatMap(List::stream)
                .filter(slice -> slice.base() == base)
                .mapToDouble(
                        slice -> (double) slice.turn().cpuNanos() / slice.turn().ops())
                .toArray();
        return costs.length == 0 ? Double.NaN : Median.of(costs);
    }
}
