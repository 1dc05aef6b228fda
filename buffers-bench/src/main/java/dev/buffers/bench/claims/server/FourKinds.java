package dev.buffers.bench.claims.server;

import dev.buffers.bench.claims.Claim;
import dev.buffers.bench.claims.Experiment;
import dev.buffers.bench.claims.Family;
import java.util.List;

/** Claims C: a web server over four kinds of buffer, as measured in 2007. */
public final class FourKinds implements Family {

    @Override
    public List<Experiment> experiments() {
        return List.of(new WebServer());
    }

    @Override
    public List<Claim> claims() {
        return List.of(new C1HeapBeatsDirect(), new C2ViewsBeatSeparateBuffers(), new C3HeapViewsAreFastest());
    }
}
