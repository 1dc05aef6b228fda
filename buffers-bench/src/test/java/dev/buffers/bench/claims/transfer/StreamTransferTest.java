package dev.buffers.bench.claims.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.bench.claims.Catalogue;
import dev.buffers.bench.claims.Claim;
import dev.buffers.bench.claims.Depth;
import dev.buffers.bench.claims.Experiment;
import dev.buffers.bench.claims.Point;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.openjdk.jmh.annotations.Param;

/** That the family is complete, works, and notices when it does not. */
class StreamTransferTest {
    private static final double QUICK_SECONDS = 8;
    private static final double FULL_SECONDS = 40;

    private final StreamTransfer family = new StreamTransfer();

    @Test
    void theCatalogueTakesIt() {
        assertEquals(
                List.of("B1", "B2"),
                new Catalogue(List.of(family)).claims().stream().map(Claim::id).toList());
    }

    private double seconds(Depth depth) {
        return family.experiments().stream()
                .mapToDouble(experiment -> experiment.points(depth).stream()
                        .mapToDouble(experiment::seconds)
                        .sum())
                .sum();
    }

    @Test
    void pointsNameEveryParameter() {
        Set<String> parameters = Arrays.stream(TransferBenchmark.class.getFields())
                .filter(field -> field.isAnnotationPresent(Param.class))
                .map(field -> field.getName())
                .collect(Collectors.toSet());
        for (Experiment experiment : family.experiments()) {
            for (Point point : experiment.points(Depth.ALL)) {
                assertEquals(parameters, point.parameters().keySet());
            }
        }
    }

    @Test
    void aQuickRunSettlesEveryClaimAtTheSourcesSize() {
        Experiment experiment = family.experiments().get(0);
        Set<Point> quick = experiment.points(Depth.QUICK);
        for (Claim claim : family.claims()) {
            assertTrue(claim.trials().stream()
                    .anyMatch(trial -> quick.contains(trial.claimant()) && quick.contains(trial.other())));
        }
        assertTrue(quick.containsAll(experiment.then().keySet()));
    }

    static Stream<Point> quickPoints() {
        return new StreamTransfer()
                .experiments().stream().flatMap(experiment -> experiment.points(Depth.QUICK).stream());
    }

    @ParameterizedTest
    @MethodSource("quickPoints")
    void everyQuickPointWorks(Point point) throws IOException, InterruptedException {
        family.experiments().get(0).smoke(point);
    }

    @ParameterizedTest
    @MethodSource("waysAtSmallSize")
    void everyWayWorks(Point point) throws IOException, InterruptedException {
        family.experiments().get(0).smoke(point);
    }

    static Stream<Point> waysAtSmallSize() {
        return new StreamTransfer()
                .experiments().get(0).points(Depth.ALL).stream()
                        .filter(point -> point.get("size").equals("65536"))
                        .filter(point -> Set.of(StreamTransfer.OWN, "131072").contains(point.get("buffer")));
    }

    @Test
    void whatDoesNotArriveIsMissed() throws IOException {
        TransferBenchmark benchmark = benchmark((in, out) -> out.write(in.read()));
        benchmark.open();
        benchmark.transfer();
        assertThrows(IllegalStateException.class, benchmark::checkLength);
        benchmark.close();
    }

    @Test
    void whatArrivesWrongIsNoticed() throws IOException {
        TransferBenchmark benchmark = benchmark((in, out) -> out.write(new byte[in.readAllBytes().length]));
        benchmark.open();
        benchmark.transfer();
        benchmark.checkLength();
        assertThrows(IllegalStateException.class, benchmark::checkContent);
        benchmark.close();
    }

    private static TransferBenchmark benchmark(Mover mover) throws IOException {
        TransferBenchmark benchmark = new TransferBenchmark();
        benchmark.way = TransferBenchmark.OF_JDK;
        benchmark.buffer = StreamTransfer.OWN;
        benchmark.size = 1000;
        benchmark.make();
        benchmark.mover = mover;
        return benchmark;
    }
}
