package dev.buffers.bench.claims.sockets;

import dev.buffers.bench.claims.Claim;
import dev.buffers.bench.claims.Experiment;
import dev.buffers.bench.claims.Family;
import java.util.List;

/** Claims E: asynchronous against plain NIO sockets, as measured in 2011. */
public final class AsyncSockets implements Family {

    @Override
    public List<Experiment> experiments() {
        return List.of(new RoundTrips());
    }

    @Override
    public List<Claim> claims() {
        return List.of(new E1AsyncWithoutThreads(), new E2AsyncWithThreads());
    }
}
