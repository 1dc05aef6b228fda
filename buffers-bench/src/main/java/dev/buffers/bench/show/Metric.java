package dev.buffers.bench.show;

import dev.buffers.bench.figures.Ratio;
import dev.buffers.bench.figures.Spread;
import dev.buffers.bench.show.Measurement.Load;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/** What is compared: each metric makes one figure out of one server's measurements in one round. */
@SuppressWarnings("ImmutableEnumChecker") // its functions have no state
enum Metric {
    RATE_600("requests/s over 600 connections", true, true, load -> load == Load.CLOSED_600, Measurement::rate),
    RATE_64("requests/s over 64 connections", true, true, load -> load == Load.CLOSED_64, Measurement::rate),
    CPU("server CPU µs per request", false, true, load -> load != Load.OPEN, Measurement::cpuMicros),
    P50("µs to the answer at 50 %", false, false, load -> load == Load.OPEN, Measurement::p50Micros),
    P99("µs to the answer at 99 %", false, false, load -> load == Load.OPEN, Measurement::p99Micros),
    ALLOCATED("heap bytes allocated per request", false, false, load -> load != Load.OPEN, Measurement::allocatedBytes);

    private final String text;
    private final boolean moreIsBetter;
    private final boolean judged;
    private final Predicate<Load> loads;
    private final ToDoubleFunction<Measurement> figure;

    Metric(
            String text,
            boolean moreIsBetter,
            boolean judged,
            Predicate<Load> loads,
            ToDoubleFunction<Measurement> figure) {
        this.text = text;
        this.moreIsBetter = moreIsBetter;
        this.judged = judged;
        this.loads = loads;
        this.figure = figure;
    }

    /** The metrics that decide which policy is recommended. */
    static List<Metric> judged() {
        return List.of(values()).stream().filter(metric -> metric.judged).toList();
    }

    String text() {
        return text;
    }

    boolean moreIsBetter() {
        return moreIsBetter;
    }

    /** One figure for each round, in the order of the rounds; over several loads the mean of all requests. */
    Spread of(Collection<Measurement> measurements, Lane lane) {
        List<Measurement> mine = measurements.stream()
                .filter(m -> m.lane() == lane && loads.test(m.load()))
                .toList();
        return new Spread(mine.stream()
                .mapToInt(Measurement::round)
                .distinct()
                .sorted()
                .mapToDouble(round ->
                        mean(mine.stream().filter(m -> m.round() == round).toList()))
                .toArray());
    }

    private double mean(List<Measurement> measurements) {
        double weighted = measurements.stream()
                .mapToDouble(m -> figure.applyAsDouble(m) * m.responses())
                .sum();
        return weighted
                / measurements.stream().mapToDouble(Measurement::responses).sum();
    }

    /** How {@code claimant} compares with {@code other}: a ratio above 1 means that the claimant is better. */
    Ratio compare(Collection<Measurement> measurements, Lane claimant, Lane other) {
        double[] mine = of(measurements, claimant).values();
        double[] theirs = of(measurements, other).values();
        return moreIsBetter ? Ratio.ofRounds(mine, theirs) : Ratio.ofRounds(theirs, mine);
    }
}
