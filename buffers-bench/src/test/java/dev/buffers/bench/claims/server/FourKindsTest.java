package dev.buffers.bench.claims.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.bench.claims.Catalogue;
import dev.buffers.bench.claims.Depth;
import dev.buffers.bench.claims.Figure;
import dev.buffers.bench.claims.Point;
import dev.buffers.bench.http.BufferSource;
import dev.buffers.bench.http.ConnectionBuffers;
import dev.buffers.bench.http.FreshBuffers;
import dev.buffers.bench.http.HttpServer;
import dev.buffers.bench.http.Server;
import dev.buffers.bench.http.ServerOptions;
import dev.buffers.bench.load.Documents;
import dev.buffers.bench.load.LoadGenerator;
import dev.buffers.bench.load.LoadPlan;
import dev.buffers.bench.load.SampleFiles;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Claims C: what is compared, how long it takes, and that every server that is compared works. */
class FourKindsTest {
    private static final WebServer EXPERIMENT = new WebServer();

    @Test
    void isAValidFamily() {
        Catalogue catalogue = new Catalogue(List.of(new FourKinds()));
        assertEquals(
                List.of("C1", "C2", "C3"),
                catalogue.claims().stream().map(claim -> claim.id()).toList());
        assertTrue(EXPERIMENT.points(Depth.ALL).containsAll(EXPERIMENT.then().keySet()));
    }

    private static double seconds(Depth depth) {
        return EXPERIMENT.points(depth).stream()
                .mapToDouble(EXPERIMENT::seconds)
                .sum();
    }

    /** Those of a short run, and all kinds with connections that do not live long. */
    static Stream<Point> points() {
        Stream<Point> quick = EXPERIMENT.points(Depth.QUICK).stream();
        Stream<Point> all = Stream.of(ServerKind.values()).map(kind -> WebServer.point(kind, Shape.SHORT_LIVED));
        return Stream.concat(quick, all)
                .filter(point -> EXPERIMENT.notMeasurable(point).isEmpty());
    }

    @ParameterizedTest
    @MethodSource("points")
    void everyServerAnswersRightAndGivesEverythingBack(Point point) throws Exception {
        EXPERIMENT.smoke(point);
    }

    @Test
    void aForkHasAllFiguresAndLeavesNoProcess() throws Exception {
        List<ProcessHandle> before = ProcessHandle.current().children().toList();
        Map<String, Double> figures = EXPERIMENT.measure(WebServer.point(ServerKind.BUMP_HEAP, Shape.SHORT_LIVED));
        assertEquals(EXPERIMENT.figures().stream().map(Figure::name).collect(Collectors.toSet()), figures.keySet());
        figures.forEach((name, value) -> assertTrue(value > 0, name + "=" + value));
        assertTrue(ProcessHandle.current().children().allMatch(before::contains));
    }

    @Test
    void aWrongByteIsNoticed() throws Exception {
        try (SampleFiles files = SampleFiles.create();
                Server server = HttpServer.start(ServerOptions.of(files.folder()), corrupting())) {
            LoadGenerator generator = new LoadGenerator(Documents.of(files.folder()));
            IOException problem = assertThrows(
                    IOException.class, () -> generator.run(LoadPlan.closed(2, Duration.ofSeconds(1)), server.port()));
            assertTrue(problem.getMessage().contains("wrong checksum"), problem.getMessage());
        }
    }

    /** Buffers that change the last byte that was put into them. */
    private static BufferSource corrupting() {
        return proxy(BufferSource.class, FreshBuffers.heap());
    }

    private static <T> T proxy(Class<T> type, T real) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, args) -> {
            if (method.getName().equals("send")) {
                ByteBuffer room = ((ConnectionBuffers) real).room();
                int last = room.position() - 1;
                room.put(last, (byte) ~room.get(last));
            }
            try {
                Object result = method.invoke(real, args);
                return result instanceof ConnectionBuffers one ? proxy(ConnectionBuffers.class, one) : result;
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }));
    }
}
