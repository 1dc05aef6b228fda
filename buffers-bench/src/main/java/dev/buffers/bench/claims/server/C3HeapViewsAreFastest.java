package dev.buffers.bench.claims.server;

import dev.buffers.bench.claims.Claim;
import java.util.List;
import java.util.stream.Stream;

/** C3: heap views against each of the other three. */
final class C3HeapViewsAreFastest implements Claim {

    @Override
    public String id() {
        return "C3";
    }

    @Override
    public Source source() {
        return Grizzly.SOURCE;
    }

    @Override
    public String statement() {
        return "A server on views of one large heap buffer is faster than one on any of the other three kinds.";
    }

    @Override
    public String then() {
        return "heap views 2,484; direct views 2,304, heap 2,269, direct 2,241 transactions/s";
    }

    @Override
    public String since() {
        return Grizzly.SINCE;
    }

    @Override
    public List<Trial> trials() {
        return Stream.of(ServerKind.DIRECT_VIEW, ServerKind.HEAP, ServerKind.DIRECT)
                .flatMap(other -> Grizzly.better(ServerKind.HEAP_VIEW, other).stream())
                .toList();
    }
}
