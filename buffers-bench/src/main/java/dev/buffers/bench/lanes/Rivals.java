package dev.buffers.bench.lanes;

import dev.buffers.bench.claims.Claim;
import dev.buffers.bench.claims.Depth;
import dev.buffers.bench.claims.Experiment;
import dev.buffers.bench.claims.Family;
import dev.buffers.bench.claims.Figure;
import dev.buffers.bench.claims.JmhExperiment;
import dev.buffers.bench.claims.Point;
import dev.buffers.bench.lanes.contenders.Contenders;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Claims F4 to F6: the pools that there are, in the lanes. */
public final class Rivals implements Family {

    /** What both threads of the hand-off do in a microsecond. */
    static final Figure THROUGHPUT = new Figure("throughput", "acquires and releases/us", true);

    static final String MIXED = "lane-mixed";
    static final String WINDOW1 = "lane-window1";
    static final String WINDOW2 = "lane-window2";
    static final String HAND_OFF = "lane-handoff";
    static final String CHANNEL = "lane-channel";
    static final String LIVE = "lane-live";
    static final String TLAB = "tlab";
    static final String SCRAPED_MIXED = "scraped-mixed";
    static final String SCRAPED_WINDOW1 = "scraped-window1";
    static final String SCRAPED_WINDOW2 = "scraped-window2";

    static final MemoryLane BURST = new BurstLane();
    static final MemoryLane VIRTUAL = new VirtualThreadsLane();
    static final MemoryLane IDLE = new IdleConnectionsLane();
    static final MemoryLane SHIFT = new ShiftLane();

    private static final String CONTENDER = MemoryLane.CONTENDER;

    /** Who says at a glance how the pool does: the limit, what anyone would write, and the best of each kind of rival. */
    private static final Object[] TELLING = {
        Contenders.buffers, Contenders.floor, Contenders.queue, Contenders.nettyAdaptiveBest, Contenders.jettyBest
    };

    /** Who is only asked about in {@link #TLAB}. */
    private static final List<Contenders> HEAP_POLICIES = List.of(Contenders.buffersHeap, Contenders.buffersHeapView);

    @Override
    public List<Experiment> experiments() {
        List<Experiment> experiments = new ArrayList<>(List.of(
                lane(MIXED, MixedLane.class, "mixed", "What does a lease cost that stays in its method?")
                        .points(Depth.QUICK, of(MIXED, TELLING))
                        .points(Depth.FULL, of(MIXED, everybody()))
                        .build(),
                lane(WINDOW1, WindowLane.class, "window1", "What does a lease cost that is kept for a while?")
                        .points(Depth.QUICK, of(WINDOW1, TELLING))
                        .points(Depth.FULL, of(WINDOW1, everybody()))
                        .build(),
                lane(WINDOW2, WindowLane.class, "window2", "What does it cost on two threads?")
                        .points(
                                Depth.FULL,
                                of(
                                        WINDOW2,
                                        Contenders.buffers,
                                        Contenders.queue,
                                        Contenders.nettyAdaptiveBest,
                                        Contenders.jettyBest,
                                        Contenders.grizzlyPooled))
                        .points(Depth.ALL, of(WINDOW2, everybody()))
                        .build(),
                lane(HAND_OFF, HandOffLane.class, "handOff", "How many buffers can one thread hand to another?")
                        .primary(THROUGHPUT)
                        .iterations(3, 4, 80)
                        .points(
                                Depth.FULL,
                                of(
                                        HAND_OFF,
                                        Contenders.buffers,
                                        Contenders.queue,
                                        Contenders.nettyAdaptiveBest,
                                        Contenders.jettyBest,
                                        Contenders.grizzlyPooled))
                        .points(Depth.ALL, of(HAND_OFF, sharers()))
                        .build(),
                lane(CHANNEL, ChannelLane.class, "turn", "What does a busy connection pay for its read buffer?")
                        .points(Depth.FULL, of(CHANNEL, Contenders.buffers, Contenders.floor))
                        .build(),
                lane(
                                LIVE,
                                LiveLeasesLane.class,
                                "acquireRelease",
                                "Does an acquire cost more when many leases are out?")
                        .axes("live", "live")
                        .forkSeconds(1.5)
                        .points(
                                Depth.FULL,
                                Point.Grid.of(LIVE).with("live", 10, 100_000).points())
                        .build(),
                lane(TLAB, TlabLane.class, "buffer", "Up to which size is a new heap buffer cheaper than a pooled one?")
                        .axes("size", CONTENDER)
                        .points(
                                Depth.QUICK,
                                sizes(List.of(Contenders.allocateHeap, Contenders.buffersHeap), List.of(64, 16384)))
                        .points(
                                Depth.FULL,
                                sizes(List.of(Contenders.allocateHeap, Contenders.buffersHeap), List.of(1024)))
                        .points(
                                Depth.ALL,
                                sizes(
                                        List.of(
                                                Contenders.allocateHeap,
                                                Contenders.buffersHeap,
                                                Contenders.buffersHeapView),
                                        F4FreshHeapBuffers.SIZES))
                        .build(),
                scraped(Depth.ALL, SCRAPED_MIXED, MixedLane.class, "mixed"),
                scraped(Depth.FULL, SCRAPED_WINDOW1, WindowLane.class, "window1"),
                scraped(Depth.ALL, SCRAPED_WINDOW2, WindowLane.class, "window2"),
                ScrapeLane.experiment(),
                VIRTUAL,
                BURST,
                IDLE,
                SHIFT,
                new Bars(Map.of(
                        BURST.id(), BurstLane.BAR,
                        VIRTUAL.id(), VirtualThreadsLane.BAR,
                        IDLE.id(), IdleConnectionsLane.BAR,
                        SHIFT.id(), ShiftLane.BAR))));
        experiments.addAll(FreeingLane.experiments());
        return experiments;
    }

    @Override
    public List<Claim> claims() {
        return List.of(
                new F4FreshHeapBuffers(),
                new F5Mixed(),
                new F5Window(),
                new F5TwoThreads(),
                new F5HandOff(),
                new F5VirtualThreads(),
                new F5Bars(),
                new F5Scraped(),
                new F6KeepsLess(),
                new F6Bars());
    }

    /** All but the pool's policies for the heap. */
    static Object[] everybody() {
        return Arrays.stream(Contenders.values())
                .filter(contender -> !HEAP_POLICIES.contains(contender))
                .toArray();
    }

    /** Who may be called by one thread to acquire and by another to release: everybody but the floor. */
    private static Object[] sharers() {
        return Arrays.stream(everybody())
                .filter(contender -> contender != Contenders.floor)
                .toArray();
    }

    /** The point of a contender in a lane. */
    static Point point(String lane, Object contender) {
        return Point.of(lane, CONTENDER, contender);
    }

    private static List<Point> of(String lane, Object... contenders) {
        return Point.Grid.of(lane).with(CONTENDER, contenders).points();
    }

    private static List<Point> sizes(List<Contenders> contenders, List<Integer> sizes) {
        return Point.Grid.of(TLAB)
                .with(CONTENDER, contenders.toArray())
                .with("size", sizes.toArray())
                .points();
    }

    /** A lane with another thread that scrapes every second, and without: each iteration is long enough to have its scrape. */
    private static JmhExperiment scraped(Depth from, String id, Class<?> benchmark, String method) {
        return lane(id, benchmark, method, "Does a scrape every second make the pool slower?")
                .axes("scrapes", CONTENDER)
                .iterations(2, 3, 1000)
                .points(from, F5Scraped.points(id))
                .build();
    }

    private static JmhExperiment.Builder lane(String id, Class<?> benchmark, String method, String question) {
        return JmhExperiment.of(id, benchmark, method)
                .question(question)
                .axes(CONTENDER, CONTENDER)
                .iterations(5, 4, 80)
                .jvmArguments(Rivals::jvmArguments);
    }

    private static List<String> jvmArguments(Point point) {
        String contender = point.parameters().getOrDefault(CONTENDER, Contenders.buffers.name());
        return Contenders.valueOf(contender).jvmArguments();
    }
}
