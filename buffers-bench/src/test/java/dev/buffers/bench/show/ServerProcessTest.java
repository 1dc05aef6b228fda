package dev.buffers.bench.show;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.bench.http.ServerProcess;
import dev.buffers.bench.load.Documents;
import dev.buffers.bench.load.LoadGenerator;
import dev.buffers.bench.load.LoadPlan;
import dev.buffers.bench.metrics.MetricsPort;
import dev.buffers.bench.metrics.Scrape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Servers in JVMs of their own: the same program under each policy, by {@code -Dbuffers.policy} alone. */
class ServerProcessTest {
    @TempDir
    private Path folder;

    @BeforeEach
    void fill() throws IOException {
        Files.write(folder.resolve("small.bin"), new byte[200]);
        Files.write(folder.resolve("large.bin"), new byte[300_000]);
    }

    @ParameterizedTest
    @EnumSource(Lane.class)
    void theSameProgramServesUnderEachPolicy(Lane lane) throws Exception {
        ProcessHandle handle;
        try (ServerProcess server = start(lane, lane.jvmArguments())) {
            handle = ProcessHandle.of(server.pid()).orElseThrow();
            LoadPlan plan = LoadPlan.closed(20, Duration.ofSeconds(20)).withMaxResponses(500);
            assertEquals(
                    500,
                    new LoadGenerator(Documents.of(folder))
                            .run(plan, server.port())
                            .responses());
            var numbers = server.numbers();
            while (numbers.connections() > 0) {
                numbers = server.numbers();
            }
            assertEquals(500, numbers.responses());
            assertEquals(0, numbers.leasedBytes());
            assertEquals(0, numbers.failures());
            assertTrue(numbers.cpuNanos() > 0);
            boolean pooled = lane.isPolicy() && lane != Lane.UNPOOLED;
            assertEquals(pooled, numbers.reservedBytes() > 0);
            boolean direct = lane == Lane.DIRECT || lane == Lane.DIRECT_VIEW;
            assertTrue(!direct || numbers.directBytes() >= numbers.reservedBytes());
        }
        handle.onExit().get(60, TimeUnit.SECONDS);
        assertFalse(handle.isAlive());
    }

    @Test
    void aServerThatCannotStartIsAnError() {
        IOException problem =
                assertThrows(IOException.class, () -> start(Lane.HEAP, List.of("-Dbuffers.policy=nonsense")));
        assertTrue(problem.getMessage().contains("its process ended"), problem.getMessage());
    }

    @Test
    void eachPolicyShowsItsPoolWhileItRuns() throws Exception {
        String url;
        try (Servers servers = new Servers(new MetricsPort(0))) {
            servers.start(Lane.HEAP_VIEW, folder);
            servers.start(Lane.UNPOOLED, folder);
            servers.start(Lane.FRESH_HEAP, folder);
            assertEquals(Optional.empty(), servers.get(Lane.FRESH_HEAP).metrics());
            url = servers.get(Lane.HEAP_VIEW).metrics().orElseThrow();
            String other = servers.get(Lane.UNPOOLED).metrics().orElseThrow();
            assertNotEquals(url, other);
            LoadPlan plan = LoadPlan.closed(20, Duration.ofSeconds(20)).withMaxResponses(500);
            new LoadGenerator(Documents.of(folder))
                    .run(plan, servers.get(Lane.HEAP_VIEW).port());
            Scrape scrape = Scrape.of(url);
            String ours = "policy=\"heap-view\"";
            while (scrape.sum("buffers_pool_acquires_total", ours) < 500
                    || scrape.sum("buffers_pool_leases_buffers", ours) > 0) {
                Thread.sleep(10);
                scrape = Scrape.of(url);
            }
            assertEquals(0, Scrape.of(other).sum("buffers_pool_acquires_total", "policy=\"unpooled\""));
        }
        assertThrows(IOException.class, () -> Scrape.of(url));
    }

    @Test
    void policiesTakePortsInARow() {
        assertThrows(IllegalArgumentException.class, () -> new Servers(new MetricsPort(65_533)));
    }

    private ServerProcess start(Lane lane, List<String> arguments) throws IOException, InterruptedException {
        return ServerProcess.start(
                lane.label(), arguments, folder, List.of("--lane", lane.source().toString()));
    }
}
