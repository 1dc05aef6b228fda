package dev.buffers.bench.load;

import dev.buffers.bench.duet.LoadContestant.Done;
import dev.buffers.bench.duet.LoadContestant.Load;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;

/** A load on a web server, one slice after another: the kinds of load that the cells of a match name. */
public final class HttpLoad implements Load {
    /** A closed loop over connections that stay. */
    public static final String STAYING = "staying";

    /** As it was measured in 2007: 1,000 requests over 600 connections, opening them included, once over in each slice. */
    public static final String SHORT_LIVED = "short-lived";

    /** An open loop over connections that stay: what counts is the latency. */
    public static final String OPEN = "open";

    private static final int FEW = 64;
    private static final int MANY = 600;
    private static final int REQUESTS = 1000;
    private static final Duration LIMIT = Duration.ofSeconds(10);

    /** Far below what any of the servers can do, and the same for all. */
    private static final double RATE = 2000;

    private final LoadGenerator generator;
    private final LoadPlan plan;
    private final int port;
    private LoadSession session;

    private HttpLoad(LoadGenerator generator, LoadPlan plan, int port) throws IOException, InterruptedException {
        this.generator = generator;
        this.plan = plan;
        this.port = port;
        this.session = generator.session(plan, port);
    }

    /** Connects, unless it does so in each slice. */
    public static HttpLoad open(String work, Map<String, String> parameters, Documents documents, int port)
            throws IOException, InterruptedException {
        int few = Integer.parseInt(parameters.getOrDefault("connections", String.valueOf(FEW)));
        LoadPlan plan = switch (work) {
            case STAYING -> LoadPlan.closed(few, LIMIT);
            case SHORT_LIVED -> LoadPlan.closed(MANY, LIMIT).timingConnects().withMaxResponses(REQUESTS);
            case OPEN -> LoadPlan.open(few, LIMIT, RATE);
            default -> throw new IllegalArgumentException("no such load: " + work);
        };
        return new HttpLoad(new LoadGenerator(documents), plan, port);
    }

    @Override
    public Done drive(Duration time) throws IOException, InterruptedException {
        boolean all = plan.maxResponses() == REQUESTS;
        LoadResult result = session.drive(all ? LIMIT : time);
        if (all) {
            session.close();
            session = generator.session(plan, port);
        }
        return new Done(result.responses(), Map.of("p50", result.latencyMicros(50), "p99", result.latencyMicros(99)));
    }

    @Override
    public void close() throws IOException {
        session.close();
    }
}
