package dev.buffers.bench.claims.unmeasured;

import dev.buffers.bench.claims.Claim;
import dev.buffers.bench.claims.Experiment;
import dev.buffers.bench.claims.Family;
import java.util.List;

/** Claims F1 to F3: what nobody measured about profiles, partial writes and hidden caches. */
public final class NobodyMeasured implements Family {

    @Override
    public List<Experiment> experiments() {
        return List.of();
    }

    @Override
    public List<Claim> claims() {
        return List.of();
    }
}
