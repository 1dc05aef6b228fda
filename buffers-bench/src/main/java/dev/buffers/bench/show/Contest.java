package dev.buffers.bench.show;

import dev.buffers.bench.figures.Median;
import dev.buffers.bench.figures.Progress;
import dev.buffers.bench.http.ServerNumbers;
import dev.buffers.bench.http.ServerProcess;
import dev.buffers.bench.load.LoadGenerator;
import dev.buffers.bench.load.LoadPlan;
import dev.buffers.bench.load.LoadResult;
import dev.buffers.bench.show.Measurement.Load;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/** Drives all servers in interleaved rounds: in each round every server gets the same load, in an order of the round's own. */
final class Contest {
    /** Of the slowest server's rate, for the open loop. */
    static final double OPEN_LOOP_SHARE = 0.6;

    private static final int MANY = 600;
    private static final int FEW = 64;

    private final Servers servers;
    private final List<Lane> lanes;
    private final LoadGenerator generator;
    private final ShowPlan plan;
    private final Progress progress;
    private final List<Measurement> measurements = new ArrayList<>();

    Contest(Servers servers, List<Lane> lanes, LoadGenerator generator, ShowPlan plan, Progress progress) {
        this.servers = servers;
        this.lanes = lanes;
        this.generator = generator;
        this.plan = plan;
        this.progress = progress;
    }

    List<Measurement> measurements() {
        return Collections.unmodifiableList(measurements);
    }

    /** Starts every server and runs it warm. */
    void begin(Path root) throws IOException, InterruptedException {
        for (Lane lane : lanes) {
            servers.start(lane, root);
            String metrics = servers.get(lane).metrics().map(url -> ", " + url).orElse("");
            warmUp(lane);
            progress.done(
                    plan.secondsToStart(), "started and warm: " + lane.label() + " (" + lane.meaning() + ")" + metrics);
        }
    }

    private void warmUp(Lane lane) throws IOException, InterruptedException {
        int port = servers.get(lane).port();
        generator.run(LoadPlan.closed(FEW, plan.warmUp().dividedBy(2)), port);
        generator.run(LoadPlan.closed(MANY, plan.warmUp().dividedBy(2)).timingConnects(), port);
        servers.get(lane).numbersAtRest();
    }

    void closedRounds() throws IOException, InterruptedException {
        for (int round = 0; round < plan.rounds(); round++) {
            for (Lane lane : order(round)) {
                LoadPlan many = LoadPlan.closed(MANY, plan.closed()).timingConnects();
                Measurement over600 = measure(lane, round, Load.CLOSED_600, many);
                Measurement over64 = measure(lane, round, Load.CLOSED_64, LoadPlan.closed(FEW, plan.closed()));
                progress.done(
                        plan.secondsClosed(),
                        String.format(
                                Locale.ROOT,
                                "round %d of %d, closed loop, %-12s %,7.0f/s over 600 connections, %,7.0f/s over 64",
                                round + 1,
                                plan.rounds(),
                                lane.label(),
                                over600.rate(),
                                over64.rate()));
            }
        }
    }

    /** The rate for {@link #openRounds}, known after {@link #closedRounds}. */
    double openRate() {
        double slowest = Double.MAX_VALUE;
        for (Lane lane : lanes) {
            double[] rates = measurements.stream()
                    .filter(m -> m.lane() == lane && m.load() == Load.CLOSED_64)
                    .mapToDouble(Measurement::rate)
                    .toArray();
            slowest = Math.min(slowest, Median.of(rates));
        }
        return slowest * OPEN_LOOP_SHARE;
    }

    void openRounds(double rate) throws IOException, InterruptedException {
        for (int round = 0; round < plan.rounds(); round++) {
            for (Lane lane : order(round)) {
                Measurement open = measure(lane, round, Load.OPEN, LoadPlan.open(FEW, plan.open(), rate));
                progress.done(
                        plan.secondsOpen(),
                        String.format(
                                Locale.ROOT,
                                "round %d of %d, open loop, %-12s %,6.0f us at 50 %%, %,7.0f us at 99 %%",
                                round + 1,
                                plan.rounds(),
                                lane.label(),
                                open.p50Micros(),
                                open.p99Micros()));
            }
        }
    }

    private Measurement measure(Lane lane, int round, Load load, LoadPlan loadPlan)
            throws IOException, InterruptedException {
        ServerProcess server = servers.get(lane);
        ServerNumbers before = server.numbers();
        LoadResult result = generator.run(loadPlan.withSeed(round), server.port());
        Measurement measurement = Measurement.of(lane, round, load, result, before, server.numbersAtRest());
        measurements.add(measurement);
        return measurement;
    }

    private List<Lane> order(int round) {
        List<Lane> order = new ArrayList<>(lanes);
        Collections.shuffle(order, new Random(round));
        return order;
    }
}
