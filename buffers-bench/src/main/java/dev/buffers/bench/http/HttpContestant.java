package dev.buffers.bench.http;

import dev.buffers.bench.duet.LoadContestant;
import dev.buffers.bench.duet.Match;
import dev.buffers.bench.duet.Variant;
import dev.buffers.bench.load.Documents;
import dev.buffers.bench.load.HttpLoad;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The bench's web server in a JVM of its own. The side's parameters are {@code policy}, or {@code lane} for buffers that are not the pool's,
 * {@code virtual} for a virtual thread for each connection, and {@code metrics}, a port; the cells are {@link HttpLoad}'s.
 */
public final class HttpContestant extends LoadContestant {
    /** As many threads carry virtual threads as there are workers otherwise. */
    private static final List<String> CARRIERS =
            List.of("-Djdk.virtualThreadScheduler.parallelism=5", "-Djdk.virtualThreadScheduler.maxPoolSize=5");

    /** While others have their turns its connections are silent, and the client would take their end for a failure. */
    private static final String STAYS_OPEN = "--idle-seconds=3600";

    private final Documents documents;
    private final int port;

    private HttpContestant(Variant side, ServerProcess server, Match.Pace pace, Documents documents) {
        super(side.name(), server.jvm(), pace);
        this.documents = documents;
        this.port = server.port();
    }

    /** Starts one on a folder. */
    public static HttpContestant start(Match match, Variant side, Path root, Documents documents)
            throws IOException, InterruptedException {
        Map<String, String> parameters = side.parameters();
        List<String> jvm = new ArrayList<>(match.jvmArguments());
        List<String> options = new ArrayList<>();
        String policy = parameters.get("policy");
        if (policy != null) {
            jvm.add("-Dbuffers.policy=" + policy);
        }
        options.addAll(List.of(STAYS_OPEN, "--lane", parameters.getOrDefault("lane", "pool")));
        if (parameters.containsKey("virtual")) {
            jvm.addAll(CARRIERS);
            options.add("--virtual");
        }
        String metrics = parameters.get("metrics");
        if (metrics != null) {
            options.add("--metrics=" + metrics);
        }
        ServerProcess server = ServerProcess.start(side.name(), jvm, root, options);
        server.metrics().ifPresent(url -> System.out.println(side.name() + ": metrics at " + url));
        return new HttpContestant(side, server, match.pace(), documents);
    }

    @Override
    protected Load connect(String work, Map<String, String> parameters) throws IOException, InterruptedException {
        return HttpLoad.open(work, parameters, documents, port);
    }
}
