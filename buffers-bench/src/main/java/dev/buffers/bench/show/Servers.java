package dev.buffers.bench.show;

import dev.buffers.bench.http.ServerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The server processes of a run, all of which end together. Threads may share it: a shutdown hook closes it too. */
final class Servers implements AutoCloseable {
    private final Map<Lane, ServerProcess> running = Collections.synchronizedMap(new EnumMap<>(Lane.class));

    void start(Lane lane, Path root) throws IOException, InterruptedException {
        List<String> source = List.of("--lane", lane.source().toString());
        running.put(lane, ServerProcess.start(lane.label(), lane.jvmArguments(), root, source));
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
