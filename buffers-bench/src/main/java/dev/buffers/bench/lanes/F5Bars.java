package dev.buffers.bench.lanes;

import dev.buffers.bench.claims.Claim;
import dev.buffers.bench.claims.Figure;
import dev.buffers.bench.claims.Point;
import dev.buffers.bench.figures.Verdict;
import dev.buffers.bench.lanes.contenders.Contenders;
import java.util.List;

/** F5: the bars that the pool's design sets for its speed. A trial holds when its bar is met. */
final class F5Bars extends AgainstRivals {

    @Override
    public String id() {
        return "F5 bars";
    }

    @Override
    public String statement() {
        return "In every lane the pool is as near to the floor, and as far ahead of its rivals, as its design demands.";
    }

    @Override
    public List<Claim.Trial> trials() {
        return List.of(
                time(2.5, "mixed, at most 2.5 x floor", mixed(Contenders.buffers), mixed(Contenders.floor)),
                time(3.5, "window, at most 3.5 x floor", window1(Contenders.buffers), window1(Contenders.floor)),
                time(
                        2.2,
                        "window, recycled, at most 2.2 x floor",
                        window1(Contenders.buffersRecycled),
                        window1(Contenders.floor)),
                time(
                        1.2,
                        "window, recycled, at most 1.2 x queue",
                        window1(Contenders.buffersRecycled),
                        window1(Contenders.queue)),
                time(
                        1.3,
                        "window, two threads at most 1.3 x one",
                        window2(Contenders.buffers),
                        window1(Contenders.buffers)),
                faster(
                        4,
                        "window, two threads, 4 x ahead of Netty",
                        window2(Contenders.buffers),
                        window2(Contenders.nettyAdaptiveBest)),
                faster(
                        10,
                        "window, two threads, 10 x ahead of the queue",
                        window2(Contenders.buffers),
                        window2(Contenders.queue)),
                handOff(1.6, Contenders.queue),
                handOff(4, Contenders.jettyBest),
                handOff(4, Contenders.undertow),
                handOff(4, Contenders.grizzlyPooled),
                time(
                        0.6,
                        "a channel's input, at most 0.6 x floor",
                        Rivals.point(Rivals.CHANNEL, Contenders.buffers),
                        Rivals.point(Rivals.CHANNEL, Contenders.floor)),
                time(1.25, "100,000 live leases, at most 1.25 x 10", live(100_000), live(10)),
                notSlower(Contenders.queue),
                notSlower(Contenders.nettyAdaptiveBest),
                notSlower(Contenders.jetty),
                notSlower(Contenders.grizzlyPooled));
    }

    private static Trial time(double times, String label, Point claimant, Point other) {
        return atMost(times, label, claimant, other, Figure.TIME);
    }

    private static Trial faster(double times, String label, Point claimant, Point other) {
        return Trial.better(label, claimant, other, Figure.TIME, times);
    }

    private static Trial handOff(double times, Contenders rival) {
        return Trial.better(
                "hand-off, " + times + " x ahead of " + rival,
                Rivals.point(Rivals.HAND_OFF, Contenders.buffers),
                Rivals.point(Rivals.HAND_OFF, rival),
                Rivals.THROUGHPUT,
                times);
    }

    private static Trial notSlower(Contenders rival) {
        return atMost(
                Verdict.MATTERS,
                "virtual threads, not slower than " + rival,
                Rivals.VIRTUAL.point(Contenders.buffers),
                Rivals.VIRTUAL.point(rival),
                VirtualThreadsLane.TIME);
    }

    private static Point mixed(Contenders contender) {
        return Rivals.point(Rivals.MIXED, contender);
    }

    private static Point window1(Contenders contender) {
        return Rivals.point(Rivals.WINDOW1, contender);
    }

    private static Point window2(Contenders contender) {
        return Rivals.point(Rivals.WINDOW2, contender);
    }

    private static Point live(int leases) {
        return Point.of(Rivals.LIVE, "live", leases);
    }
}
