package dev.buffers.bench.claims.sockets;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.bench.claims.Catalogue;
import dev.buffers.bench.claims.Depth;
import dev.buffers.bench.claims.Figure;
import dev.buffers.bench.claims.Point;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Claims E: what is compared, how long it takes, and that every server that is compared works. */
class AsyncSocketsTest {
    private static final RoundTrips EXPERIMENT = new RoundTrips();

    @Test
    void isAValidFamily() {
        Catalogue catalogue = new Catalogue(List.of(new AsyncSockets()));
        assertEquals(
                List.of("E1", "E2"),
                catalogue.claims().stream().map(claim -> claim.id()).toList());
        assertTrue(EXPERIMENT.points(Depth.ALL).containsAll(EXPERIMENT.then().keySet()));
    }

    private static double seconds(Depth depth) {
        return EXPERIMENT.points(depth).stream()
                .mapToDouble(EXPERIMENT::seconds)
                .sum();
    }

    /** Those of a short run, and all lanes over all memories with many messages under way. */
    static Stream<Point> points() {
        Stream<Point> quick = EXPERIMENT.points(Depth.QUICK).stream();
        Stream<Point> pipelined = EXPERIMENT.points(Depth.ALL).stream()
                .filter(point -> point.get(RoundTrips.CONNECTIONS).equals("100"))
                .filter(point -> point.get(RoundTrips.IN_FLIGHT).equals("32"));
        return Stream.concat(quick, pipelined)
                .filter(point -> EXPERIMENT.notMeasurable(point).isEmpty());
    }

    @ParameterizedTest
    @MethodSource("points")
    void everyServerSendsBackWhatItGotAndGivesEverythingBack(Point point) throws Exception {
        EXPERIMENT.smoke(point);
    }

    @Test
    void aForkHasAllFiguresAndLeavesNoProcess() throws Exception {
        List<ProcessHandle> before = ProcessHandle.current().children().toList();
        Map<String, Double> figures = EXPERIMENT.measure(RoundTrips.pipelined(Lane.ASYNC_THREADED));
        assertEquals(EXPERIMENT.figures().stream().map(Figure::name).collect(Collectors.toSet()), figures.keySet());
        figures.forEach((name, value) -> assertTrue(value > 0, name + "=" + value));
        assertTrue(ProcessHandle.current().children().allMatch(before::contains));
    }

    @Test
    void anInterruptedForkLeavesNoProcess() throws Exception {
        List<ProcessHandle> before = ProcessHandle.current().children().toList();
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread thread = new Thread(() -> {
            try {
                EXPERIMENT.measure(RoundTrips.source(Lane.NIO));
            } catch (Throwable e) {
                thrown.set(e);
            }
        });
        thread.start();
        while (ProcessHandle.current().children().allMatch(before::contains)) {
            Thread.sleep(10);
        }
        thread.interrupt();
        thread.join();
        assertInstanceOf(InterruptedException.class, thrown.get());
        assertTrue(ProcessHandle.current().children().allMatch(before::contains));
    }
}
