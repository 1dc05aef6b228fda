package dev.buffers.bench.claims.server;

import dev.buffers.bench.load.LoadPlan;
import java.time.Duration;

/** The two shapes of load. */
enum Shape {
    /** As it was measured then: 1,000 requests over 600 connections, opening them included; once over in each run. */
    SHORT_LIVED(600, 1.8, 14) {
        @Override
        LoadPlan run() {
            return LoadPlan.closed(connections(), LIMIT).timingConnects().withMaxResponses(1000);
        }
    },
    /** Connections that live long enough for opening them not to count. */
    LONG_LIVED(64, 1.0, 5) {
        @Override
        LoadPlan run() {
            return LoadPlan.closed(connections(), Duration.ofMillis(Math.round(1000 * measuredSeconds() / maxRuns())));
        }
    };

    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final int connections;
    private final double measuredSeconds;
    private final int maxRuns;

    Shape(int connections, double measuredSeconds, int maxRuns) {
        this.connections = connections;
        this.measuredSeconds = measuredSeconds;
        this.maxRuns = maxRuns;
    }

    static Shape of(String connections) {
        for (Shape shape : values()) {
            if (shape.toString().equals(connections)) {
                return shape;
            }
        }
        throw new IllegalArgumentException("no such shape: connections=" + connections);
    }

    int connections() {
        return connections;
    }

    /** For how long runs are begun. */
    double measuredSeconds() {
        return measuredSeconds;
    }

    /** How many runs there are at most: each connection closed keeps a port busy for a while. */
    int maxRuns() {
        return maxRuns;
    }

    /** What one run of the closed loop does; a fork's figure is the median of several. */
    abstract LoadPlan run();

    /** As points call it. */
    @Override
    public String toString() {
        return Integer.toString(connections);
    }
}
