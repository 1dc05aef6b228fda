package dev.buffers.bench.claims.kinds;

import dev.buffers.bench.claims.Claim;
import dev.buffers.bench.claims.Experiment;
import dev.buffers.bench.claims.Family;
import java.util.List;

/** Claims A: {@code byte[]}, heap and direct buffers, as measured in 2009. */
public final class KindsOfBuffer implements Family {

    @Override
    public List<Experiment> experiments() {
        return List.of();
    }

    @Override
    public List<Claim> claims() {
        return List.of();
    }
}
