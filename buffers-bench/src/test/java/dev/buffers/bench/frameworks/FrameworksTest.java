package dev.buffers.bench.frameworks;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.buffers.bench.claims.Catalogue;
import dev.buffers.bench.claims.Depth;
import dev.buffers.bench.claims.Point;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Claim F7: what is compared, and that every server that is compared answers right on either pool. */
class FrameworksTest {
    private static final FrameworkServer SERVERS = new FrameworkServer();

    @Test
    void isAValidFamily() {
        Catalogue catalogue = new Catalogue(List.of(new Frameworks()));
        assertEquals(
                List.of("F7", "F7 memory"),
                catalogue.claims().stream().map(claim -> claim.id()).toList());
    }

    static Stream<Point> points() {
        return SERVERS.points(Depth.ALL).stream()
                .filter(point -> SERVERS.notMeasurable(point).isEmpty());
    }

    @ParameterizedTest
    @MethodSource("points")
    void everyServerAnswersRightAndLosesNothing(Point point) throws Exception {
        SERVERS.smoke(point);
    }
}
