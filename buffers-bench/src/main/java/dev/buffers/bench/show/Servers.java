package dev.buffers.bench.show;

import dev.buffers.bench.http.ServerProcess;
import dev.buffers.bench.metrics.MetricsPort;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The server processes of a run, all of which end together. Threads may share it: a shutdown hook closes it too. */
final class Servers implements AutoCloseable {
    private final Map<Lane, ServerProcess> running = Collections.synchronizedMap(new EnumMap<>(Lane.class));
    private final Map<Lane, MetricsPort> metrics = new EnumMap<>(Lane.class);

    /**
     * None yet.
     *
     * @param firstMetrics where the first policy's server shows its meters; each further policy's does on the next port. Null when
     *     none does
     */
    Servers(@Nullable MetricsPort firstMetrics) {
        if (firstMetrics != null) {
            for (Lane lane : Lane.values()) {
                if (lane.isPolicy()) {
                    metrics.put(lane, firstMetrics.plus(metrics.size()));
                }
            }
        }
    }

    void start(Lane lane, Path root) throws IOException, InterruptedException {
        List<String> options = new ArrayList<>(List.of("--lane", lane.source().toString()));
        MetricsPort port = metrics.get(lane);
        if (port != null) {
            options.add(port.option());
        }
        running.put(lane, ServerProcess.start(lane.label(), lane.jvmArguments(), root, options));
    }

    ServerProcess get(Lane lane) {
        ServerProcess server = running.get(lane);
        if (server == null) {
            throw new IllegalArgumentException("not started: lane=" + lane);
        }
        return server;
    }

    @Override
    public void close() {
        synchronized (running) {
            running.values().forEach(ServerProcess::close);
        }
    }
}
