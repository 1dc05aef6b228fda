package dev.buffers.bench.lanes;

import dev.buffers.bench.claims.Figure;
import dev.buffers.bench.claims.Point;
import dev.buffers.bench.figures.Verdict;
import dev.buffers.bench.lanes.contenders.Contenders;
import java.util.List;
import java.util.stream.Stream;

/** F5: the pool while somebody looks at its meters. */
final class F5Scraped extends AgainstRivals {
    private static final String SCRAPES = "scrapes";

    @Override
    public String id() {
        return "F5 scraped";
    }

    @Override
    public String statement() {
        return "The pool is not slower when its meters are scraped every second.";
    }

    @Override
    public List<Trial> trials() {
        return Stream.of(Rivals.SCRAPED_MIXED, Rivals.SCRAPED_WINDOW1, Rivals.SCRAPED_WINDOW2)
                .map(lane -> atMost(
                        Verdict.MATTERS,
                        lane + ", not slower than without",
                        point(lane, 1),
                        point(lane, 0),
                        Figure.TIME))
                .toList();
    }

    /** What the trials compare. */
    static List<Point> points(String lane) {
        return List.of(point(lane, 1), point(lane, 0));
    }

    private static Point point(String lane, int scrapes) {
        return Rivals.point(lane, Contenders.buffers).with(SCRAPES, scrapes);
    }
}
