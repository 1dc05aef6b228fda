package dev.buffers.bench.claims.transfer;

import dev.buffers.bench.claims.Claim;
import dev.buffers.bench.claims.Experiment;
import dev.buffers.bench.claims.Family;
import java.util.List;

/** Claims B: {@code InputStream.transferTo}, as measured in 2022 and 2023. */
public final class StreamTransfer implements Family {

    @Override
    public List<Experiment> experiments() {
        return List.of();
    }

    @Override
    public List<Claim> claims() {
        return List.of();
    }
}
