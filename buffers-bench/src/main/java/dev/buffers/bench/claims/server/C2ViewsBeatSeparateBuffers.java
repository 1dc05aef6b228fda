package dev.buffers.bench.claims.server;

import dev.buffers.bench.claims.Claim;
import java.util.List;
import java.util.stream.Stream;

/** C2: views against separate buffers, once for each memory. The pool cuts the views; those of 2007 are points of their own. */
final class C2ViewsBeatSeparateBuffers implements Claim {

    @Override
    public String id() {
        return "C2";
    }

    @Override
    public Source source() {
        return Grizzly.SOURCE;
    }

    @Override
    public String statement() {
        return "A server on views of one large buffer is faster than one on separate buffers of the same memory.";
    }

    @Override
    public String then() {
        return "direct: views 2,304, separate 2,241 transactions/s, 2.8 %; heap: views 2,484, separate 2,269, 9.5 %";
    }

    @Override
    public String since() {
        return Grizzly.SINCE;
    }

    @Override
    public List<Trial> trials() {
        return Stream.of(
                        Grizzly.better(ServerKind.DIRECT_VIEW, ServerKind.DIRECT),
                        Grizzly.better(ServerKind.HEAP_VIEW, ServerKind.HEAP))
                .flatMap(List::stream)
                .toList();
    }
}
