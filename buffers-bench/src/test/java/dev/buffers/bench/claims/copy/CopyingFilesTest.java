package dev.buffers.bench.claims.copy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.bench.claims.Catalogue;
import dev.buffers.bench.claims.Claim;
import dev.buffers.bench.claims.Depth;
import dev.buffers.bench.claims.Experiment;
import dev.buffers.bench.claims.Point;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
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
class CopyingFilesTest {
    private static final double QUICK_SECONDS = 8;
    private static final double FULL_SECONDS = 60;

    private final Catalogue catalogue = new Catalogue(List.of(new CopyingFiles()));

    @Test
    void theCatalogueTakesIt() {
        assertEquals(
                List.of("D1", "D2", "D3"),
                catalogue.claims().stream().map(Claim::id).toList());
    }

    private double seconds(Depth depth) {
        return catalogue.experiments().values().stream()
                .mapToDouble(experiment -> experiment.points(depth).stream()
                        .mapToDouble(experiment::seconds)
                        .sum())
                .sum();
    }

    @Test
    void pointsNameEveryParameter() {
        Set<String> parameters = Arrays.stream(CopyBenchmark.class.getFields())
                .filter(field -> field.isAnnotationPresent(Param.class))
                .map(field -> field.getName())
                .collect(Collectors.toSet());
        for (Experiment experiment : catalogue.experiments().values()) {
            for (Point point : experiment.points(Depth.ALL)) {
                assertEquals(parameters, point.parameters().keySet());
            }
        }
    }

    @Test
    void aFullRunSettlesEveryTrialAndAQuickOneSomeOfEachClaim() {
        Set<Point> quick = points(Depth.QUICK);
        Set<Point> full = points(Depth.FULL);
        for (Claim claim : catalogue.claims()) {
            assertTrue(claim.trials().stream()
                    .allMatch(trial -> full.contains(trial.claimant()) && full.contains(trial.other())));
            assertTrue(claim.trials().stream()
                    .anyMatch(trial -> quick.contains(trial.claimant()) && quick.contains(trial.other())));
        }
    }

    private Set<Point> points(Depth depth) {
        return catalogue.experiments().values().stream()
                .flatMap(experiment -> experiment.points(depth).stream())
                .collect(Collectors.toSet());
    }

    /** Every point of a quick run, and every other way once. */
    static Stream<Point> oneOfEachWay() {
        List<Point> points = new CopyingFiles()
                .experiments().stream()
                        .flatMap(experiment -> Stream.concat(
                                experiment.points(Depth.QUICK).stream(),
                                experiment.points(Depth.FULL).stream()
                                        .filter(point -> Set.of(CopyingFiles.OWN, "131072")
                                                .contains(point.get("buffer")))))
                        .toList();
        return points.stream().distinct();
    }

    @ParameterizedTest
    @MethodSource("oneOfEachWay")
    void everyWayWorks(Point point) throws IOException, InterruptedException {
        catalogue.experiments().get(point.experiment()).smoke(point);
    }

    @Test
    void aCopyThatIsTooShortIsNoticed() throws IOException {
        CopyBenchmark benchmark = benchmark((from, to) -> {
            Files.copy(from, to);
            try (RandomAccessFile file = new RandomAccessFile(to.toFile(), "rw")) {
                file.setLength(file.length() - 1);
            }
        });
        benchmark.copy();
        assertThrows(IllegalStateException.class, benchmark::compare);
        benchmark.close();
    }

    @Test
    void aCopyWithAWrongByteIsNoticed() throws IOException {
        CopyBenchmark benchmark = benchmark((from, to) -> {
            Files.copy(from, to);
            try (RandomAccessFile file = new RandomAccessFile(to.toFile(), "rw")) {
                file.seek(file.length() / 2);
                int old = file.read();
                file.seek(file.length() / 2);
                file.write(~old);
            }
        });
        benchmark.copy();
        assertThrows(IllegalStateException.class, benchmark::compare);
        benchmark.close();
    }

    private static CopyBenchmark benchmark(Copier copier) throws IOException {
        CopyBenchmark benchmark = new CopyBenchmark();
        benchmark.way = CopyBenchmark.FILES_COPY;
        benchmark.buffer = CopyingFiles.OWN;
        benchmark.make();
        benchmark.copier = copier;
        return benchmark;
    }
}
