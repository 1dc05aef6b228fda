package dev.buffers.bench.advise;

import dev.buffers.bench.claims.Claim;
import dev.buffers.bench.claims.Depth;
import dev.buffers.bench.claims.Experiment;
import dev.buffers.bench.claims.Family;
import dev.buffers.bench.claims.JmhExperiment;
import dev.buffers.bench.claims.Point;
import java.util.List;

/** What a server uses a pool for, each an experiment with a point for each policy. Each is also what a pool for it may be called. */
public final class Uses implements Family {
    static final String POLICY = "policy";
    static final String DEFAULT_POLICY = "direct-view";

    private static final Object[] POLICIES = {DEFAULT_POLICY, "direct", "heap-view", "heap", "unpooled"};

    private final boolean quick;

    /** With forks of half a second, or of hardly any time at all. */
    public Uses(boolean quick) {
        this.quick = quick;
    }

    @Override
    public List<Experiment> experiments() {
        return List.of(
                experiment("socket", SocketUse.class, "exchange", 8192, "a request and its answer over loopback"),
                experiment(
                        "codec",
                        CodecUse.class,
                        "fillAndRead",
                        4096,
                        "a buffer of small records, written and read back"),
                experiment(
                        "hand-off",
                        HandOffUse.class,
                        "handOff",
                        1024,
                        "a buffer filled by one thread and read by another"),
                experiment("file-transfer", FileTransferUse.class, "send", 65536, "a file of 256 KiB to a connection"));
    }

    private Experiment experiment(String id, Class<?> benchmark, String method, int size, String question) {
        JmhExperiment.Builder experiment = JmhExperiment.of(id, benchmark, method)
                .question(question)
                .axes("size", POLICY)
                .points(
                        Depth.QUICK,
                        Point.Grid.of(id)
                                .with("size", size)
                                .with(POLICY, POLICIES)
                                .points());
        return (quick ? experiment.iterations(1, 1, 20).forkSeconds(0.5) : experiment.iterations(2, 3, 100)).build();
    }

    /** None: what is best here is nobody's claim. */
    @Override
    public List<Claim> claims() {
        return List.of();
    }
}
