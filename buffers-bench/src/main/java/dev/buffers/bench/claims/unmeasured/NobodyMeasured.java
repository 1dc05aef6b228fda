package dev.buffers.bench.claims.unmeasured;

import dev.buffers.bench.claims.Claim;
import dev.buffers.bench.claims.Claim.Source;
import dev.buffers.bench.claims.Experiment;
import dev.buffers.bench.claims.Family;
import java.util.List;

/** Claims F1 to F3: what nobody measured about profiles, partial writes and hidden caches. */
public final class NobodyMeasured implements Family {
    static final Source SOURCE = new Source(2026, "this library", "nobody measured it");

    @Override
    public List<Experiment> experiments() {
        return List.of(PollutionLane.experiment(), PartialWriteLane.experiment(), new HiddenCache());
    }

    @Override
    public List<Claim> claims() {
        return List.of(new F1Pollution(), new F2PartialWrites(), new F3HiddenCache());
    }
}
