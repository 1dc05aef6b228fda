package dev.buffers.bench.claims.server;

import dev.buffers.bench.claims.Claim;
import java.util.List;

/** C1: separate buffers, heap against direct. */
final class C1HeapBeatsDirect implements Claim {

    @Override
    public String id() {
        return "C1";
    }

    @Override
    public Source source() {
        return Grizzly.SOURCE;
    }

    @Override
    public String statement() {
        return "A server on heap buffers is faster than one on direct buffers.";
    }

    @Override
    public String then() {
        return "heap 2,269, direct 2,241 transactions/s: 1.2 %, too little to count even then";
    }

    @Override
    public String since() {
        return Grizzly.SINCE;
    }

    @Override
    public List<Trial> trials() {
        return Grizzly.better(ServerKind.HEAP, ServerKind.DIRECT);
    }
}
