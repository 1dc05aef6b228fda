package dev.buffers.bench.frameworks;

import dev.buffers.bench.claims.Claim;
import dev.buffers.bench.claims.Experiment;
import dev.buffers.bench.claims.Family;
import java.util.List;

/** Claim F7: Undertow, Jetty and Grizzly on this pool, against their own. */
public final class Frameworks implements Family {

    @Override
    public List<Experiment> experiments() {
        return List.of(new FrameworkServer(), new FrameworkBurst());
    }

    @Override
    public List<Claim> claims() {
        return List.of(new F7NotSlower(), new F7NeedsLess());
    }
}
