package dev.buffers.bench.lanes;

import dev.buffers.bench.claims.Claim;
import dev.buffers.bench.claims.Experiment;
import dev.buffers.bench.claims.Family;
import java.util.List;

/** Claims F4 to F6: the pools that there are, in the lanes. */
public final class Rivals implements Family {

    @Override
    public List<Experiment> experiments() {
        return List.of();
    }

    @Override
    public List<Claim> claims() {
        return List.of();
    }
}
