package dev.buffers.bench.lanes;

import dev.buffers.bench.claims.Claim;
import dev.buffers.bench.claims.Figure;
import dev.buffers.bench.claims.Point;
import dev.buffers.bench.figures.Verdict;
import dev.buffers.bench.lanes.contenders.Contenders;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** What the claims of this family have in common: nobody measured this before, and the pool is compared with each of its rivals. */
abstract class AgainstRivals implements Claim {
    private static final Source SOURCE = new Source(2026, "what nobody measured", "this machine");

    @Override
    public final Source source() {
        return SOURCE;
    }

    @Override
    public final String then() {
        return "not measured";
    }

    /** The pool against each of these. */
    static List<Trial> each(Function<Object, Point> point, Figure figure, Object... rivals) {
        return Arrays.stream(rivals)
                .map(rival ->
                        Trial.better("against " + rival, point.apply(Contenders.buffers), point.apply(rival), figure))
                .toList();
    }

    /** Everybody who has a pool that can be used, or none at all. */
    static Object[] rivals() {
        return Stream.of(Rivals.everybody())
                .filter(rival ->
                        rival != Contenders.floor && rival != Contenders.buffers && rival != Contenders.buffersRecycled)
                .toArray();
    }

    /**
     * That one side takes at most so many times what the other takes. The rule asks for more than {@link Verdict#MATTERS}, which is
     * therefore allowed for: the bar is met exactly where the ratio of the table reaches it.
     */
    static Trial atMost(double times, String label, Point claimant, Point other, Figure figure) {
        return Trial.better(label, claimant, other, figure).scaled(1 / (times * Verdict.MATTERS));
    }
}
