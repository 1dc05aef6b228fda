package dev.buffers.bench.frameworks;

import dev.buffers.bench.claims.Claim;
import dev.buffers.bench.claims.Figure;
import java.util.Arrays;
import java.util.stream.Stream;

/** A framework's server on this pool, against the same on its own. Nobody has measured that before. */
abstract class FrameworkClaim implements Claim {
    private static final Source SOURCE = new Source(2026, "what nobody measured", "this machine");

    @Override
    public final Source source() {
        return SOURCE;
    }

    @Override
    public final String then() {
        return "not measured";
    }

    /** Our pool against the framework's own in each kind of work. */
    static Stream<Trial> each(Figure figure) {
        return Arrays.stream(Framework.values())
                .flatMap(framework -> Arrays.stream(Work.values())
                        .map(work -> Trial.better(
                                framework + ", " + work + ", " + figure.name(),
                                FrameworkServer.point(framework, FrameworkServer.OURS, work),
                                FrameworkServer.point(framework, FrameworkServer.OWN, work),
                                figure)));
    }
}
