package dev.buffers.bench.claims.server;

import dev.buffers.bench.claims.Claim;
import dev.buffers.bench.claims.Claim.Trial;
import java.util.ArrayList;
import java.util.List;

/** What the three claims share: their source, and comparisons in both shapes, by throughput and by processor time. */
final class Grizzly {
    static final Claim.Source SOURCE = new Claim.Source(
            2007,
            "a web server's four kinds of buffer, 1,000 requests over 600 keep-alive connections, mean of 100 runs",
            "Grizzly on a Java 6 client VM, 5 worker threads, 8,192-byte buffers");

    static final String SINCE =
            "The client VM is gone and its successor compiles accesses to direct memory as well as those to arrays; "
                    + "heap buffers go through a cached direct one on their way to a socket, now as then.";

    private Grizzly() {}

    /** That one kind is better than another, by each figure in each shape. */
    static List<Trial> better(ServerKind claimant, ServerKind other) {
        List<Trial> trials = new ArrayList<>();
        for (Shape shape : Shape.values()) {
            String label = claimant + " against " + other + ", " + shape + " connections";
            trials.add(Trial.better(
                    label + ": requests/s",
                    WebServer.point(claimant, shape),
                    WebServer.point(other, shape),
                    WebServer.RATE));
            trials.add(Trial.better(
                    label + ": server CPU per request (the sharper figure)",
                    WebServer.point(claimant, shape),
                    WebServer.point(other, shape),
                    WebServer.CPU));
        }
        return trials;
    }
}
