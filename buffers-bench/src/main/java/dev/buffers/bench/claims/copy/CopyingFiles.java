package dev.buffers.bench.claims.copy;

import dev.buffers.bench.claims.Claim;
import dev.buffers.bench.claims.Experiment;
import dev.buffers.bench.claims.Family;
import java.util.List;

/** Claims D: copying a file, as measured in 2002. */
public final class CopyingFiles implements Family {

    @Override
    public List<Experiment> experiments() {
        return List.of();
    }

    @Override
    public List<Claim> claims() {
        return List.of();
    }
}
