package dev.buffers.bench.advise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.bench.claims.Catalogue;
import dev.buffers.bench.claims.Depth;
import dev.buffers.bench.claims.Experiment;
import dev.buffers.bench.claims.Point;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** That every use works under every policy, and that all together take as long as was promised. */
class UsesTest {
    private static final double ABOUT_TWO_MINUTES = 125;
    private static final double ABOUT_TEN_SECONDS = 13;

    private static Stream<Experiment> experiments() {
        return new Catalogue(List.of(new Uses(false))).experiments().values().stream();
    }

    static Stream<Point> points() {
        return experiments().flatMap(experiment -> experiment.points(Depth.QUICK).stream());
    }

    @ParameterizedTest
    @MethodSource("points")
    void everyUseWorksUnderEveryPolicy(Point point) throws IOException, InterruptedException {
        Experiment experiment = experiments()
                .filter(e -> e.id().equals(point.experiment()))
                .findFirst()
                .orElseThrow();
        experiment.smoke(point);
    }

    @Test
    void aLeaseThatIsOutInTheEndIsNoticed() {
        PoolInUse use = new CodecUse();
        use.policy = "heap";
        use.makePool();
        use.pool.acquire(1);
        assertThrows(IllegalStateException.class, use::closePool);
    }

    @Test
    void anotherFileThanWasToBeSentIsNoticed() throws IOException {
        FileTransferUse use = new FileTransferUse();
        use.policy = "direct";
        use.size = 65536;
        use.makePool();
        use.connect();
        use.checkContent();
        Files.write(use.file.path(), new byte[256 << 10]);
        assertThrows(IllegalStateException.class, use::checkContent);
        use.disconnect();
        use.closePool();
    }

    @Test
    void theDefaultIsTheLibrarys() {
        try (BufferPool pool = BufferPool.create("uses")) {
            assertEquals(Uses.DEFAULT_POLICY, pool.settings().policy().name());
        }
    }

    @Test
    void allTogetherTakeAboutTwoMinutes() {
        assertTrue(seconds(false) * AdviseCommand.ROUNDS <= ABOUT_TWO_MINUTES, "seconds=" + seconds(false));
        assertTrue(seconds(true) <= ABOUT_TEN_SECONDS, "seconds=" + seconds(true));
    }

    private static double seconds(boolean quick) {
        return new Uses(quick)
                .experiments().stream()
                        .mapToDouble(experiment -> experiment.points(Depth.QUICK).stream()
                                .mapToDouble(experiment::seconds)
                                .sum())
                        .sum();
    }
}
