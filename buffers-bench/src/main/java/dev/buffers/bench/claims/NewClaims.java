package dev.buffers.bench.claims;

import dev.buffers.bench.duet.JmhChild;
import dev.buffers.bench.duet.Match.Engine;
import dev.buffers.bench.duet.Question;
import dev.buffers.bench.duet.Trial;
import dev.buffers.bench.jvm.Footprint;
import dev.buffers.bench.jvm.VirtualThreads;
import dev.buffers.bench.lanes.Burst;
import dev.buffers.bench.lanes.IdleConnections;
import dev.buffers.bench.lanes.ManyVirtualThreads;
import dev.buffers.bench.lanes.Shift;
import dev.buffers.bench.lanes.contenders.Contenders;
import dev.buffers.bench.load.HttpLoad;
import dev.buffers.bench.work.HiddenCache;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;

/** What nobody measured: the rows F, and the lanes that they share. */
public final class NewClaims {
    private static final Claim.Source NOBODY = new Claim.Source(2026, "this library", "nobody measured it");

    private static final String[] MEMORY_JVM = {
        "-XX:+UseG1GC", "-Xms512m", "-Xmx2g", "-XX:+AlwaysPreTouch", "-XX:MaxDirectMemorySize=1g"
    };

    private static final String PROMPT = Contenders.buffersPrompt.isPlayable() ? ",buffersPrompt" : "";

    /** How long a pass takes. */
    private static final int PASS_MILLIS = 2000;

    private static final int BURST_MILLIS = 17_000;
    private static final int SERVERS_BURST_MILLIS = 20_000;

    /** The best of each kind of rival. */
    private static final String BEST = "contender=queue,nettyAdaptiveBest,jettyBest";

    private static final String FRAMEWORKS = "contender=nettyAdaptiveBest,jettyBest,grizzlyPooled,undertow";

    /** All contenders that can be used: pools, and no pool at all. */
    private static final String RIVALS =
            "contender=queue,handleQueue,allocateHeap,allocateDirect,nettyAdaptive,nettyAdaptiveBest,nettyPooled,"
                    + "nettyPooledBest,jetty,jettyBest,undertow,grizzlyHeap,grizzlyByteBuffer,grizzlyPooled";

    private static final String OURS = "contender=buffers";
    private static final Question AHEAD = Question.better().aboutBase();

    private NewClaims() {}

    static List<Claim> rows() {
        return List.of(
                f1(),
                f2(),
                f3(),
                f4(),
                f5("F5 mixed", "For a lease that stays in its method the pool is faster than every rival.", MIXED),
                f5("F5 window", "For leases that are kept for a while the pool is faster than every rival.", WINDOW1),
                f5("F5 two threads", "On two threads the pool is faster than every rival.", WINDOW2),
                f5(
                        "F5 hand-off",
                        "When one thread acquires and another releases, the pool is faster than every rival.",
                        HAND_OFF),
                f5VirtualThreads(),
                f5Bars(),
                f5Scraped(),
                f6(),
                f6Bars(),
                f7(),
                f7Memory());
    }

    /** A lane: the name of its match, its benchmark, and its cell. */
    private record Shared(String name, String benchmark, String cell) {
        /** Begins its match, in which our pool with its defaults is the base. */
        Row in(Row row) {
            return row.jmh(benchmark).named(name);
        }
    }

    private static final Shared MIXED = new Shared("lane mixed", "MixedLane.mixed", "");
    private static final Shared WINDOW1 = new Shared("lane window1", "WindowLane.window", JmhChild.THREADS + "=1");
    private static final Shared WINDOW2 = new Shared("lane window2", "WindowLane.window", JmhChild.THREADS + "=2");
    private static final Shared HAND_OFF = new Shared("lane handoff", "HandOffLane.handOff", "");

    /**
     * The lanes, without any claim: which is cheaper?
     *
     * @param rivals whether all pools take part, or only the floor and our own with recycled leases
     */
    public static List<Claim> lanes(boolean rivals) {
        List<Claim> rows = new ArrayList<>();
        String others =
                "contender=floor,buffersRecycled" + (rivals ? "," + RIVALS.substring(RIVALS.indexOf('=') + 1) : "");
        for (Shared lane : List.of(MIXED, WINDOW1, WINDOW2, HAND_OFF)) {
            String who = lane == HAND_OFF ? others.replace("floor,", "") : others;
            rows.add(lane(
                    lane.in(Row.of(lane.name(), NOBODY, "The pool against " + (rivals ? "its rivals." : "the floor.")))
                            .compare(who, OURS)
                            .asks(Question.EITHER)
                            .decide(lane.cell())));
        }
        rows.add(lane(Row.of("lane channel", NOBODY, "A busy channel's input against the floor.")
                .jmh("ChannelLane.turn")
                .named("lane channel")
                .compare("contender=floor", OURS)
                .asks(Question.EITHER)
                .decide("")));
        rows.add(lane(Row.of("lane live", NOBODY, "100,000 live leases against 10.")
                .jmh("LiveLeasesLane.acquireRelease")
                .named("lane live")
                .compare("live=100000", "live=10")
                .asks(Question.EITHER)
                .decide("")));
        if (rivals) {
            rows.add(lane(memory(Row.of("memory burst", NOBODY, "What a burst of 312 MiB leaves behind."), Burst.class)
                    .compare(
                            "contender=nettyAdaptiveBest,nettyPooledBest,jetty,jettyBest,undertow,grizzlyHeap,grizzlyPooled,queue"
                                    + PROMPT,
                            OURS)
                    .asks(Question.EITHER)
                    .figures("kept", "resident")
                    .decide("")));
            rows.add(lane(memory(Row.of("lane virtual", NOBODY, "200,000 virtual threads."), ManyVirtualThreads.class)
                    .unless(VirtualThreads.obstacle().orElse(""))
                    .compare(
                            "contender=queue,allocateDirect,nettyAdaptiveBest,nettyPooledBest,jetty,grizzlyPooled",
                            OURS)
                    .asks(Question.EITHER)
                    .figures(Trial.CPU, Trial.WALL, "kept")
                    .decide("")));
        }
        return rows;
    }

    private static Claim lane(Row row) {
        return row.then("").end();
    }

    private static Row memory(Row row, Class<?> pass) {
        return row.unless(Files.isReadable(Footprint.STATUS) ? "" : "the resident set is read from " + Footprint.STATUS)
                .once(Engine.PASS, pass)
                .pace(1, pass == Burst.class ? BURST_MILLIS : PASS_MILLIS)
                .jvm(MEMORY_JVM);
    }

    private static Claim f1() {
        return Row.of(
                        "F1",
                        NOBODY,
                        "Three or more classes of buffers through one call site make reading byte by byte slower there.")
                .since("A call site remembers two classes (TypeProfileWidth), in 17 and in 25.")
                .jmh("PollutionLane.read")
                .named("F1 heap")
                .compare("kind=heap others=2,3", "kind=heap others=0")
                .asks(AHEAD)
                .decide("op=elements")
                .compare("kind=heap others=1", "kind=heap others=0")
                .asks(Question.EITHER)
                .more("op=elements,bulk")
                .jmh("PollutionLane.read")
                .named("F1 direct")
                .compare("kind=direct others=2,3", "kind=direct others=0")
                .asks(AHEAD)
                .decide("op=elements")
                .compare("kind=direct others=1,2,3", "kind=direct others=0")
                .asks(Question.EITHER)
                .more("op=bulk")
                .end();
    }

    private static Claim f2() {
        return Row.of(
                        "F2",
                        NOBODY,
                        "What a slow peer takes in small parts is delivered faster from a direct buffer than from a heap buffer.")
                .since("Unchanged: each write of a heap buffer first copies all that remains of it.")
                .jmh("PartialWriteLane.deliver")
                .compare("kind=direct", "kind=heap")
                .decide("size=65536,1048576")
                .more("size=65536,131072,262144,524288,1048576,4194304")
                .jmh("PartialWriteLane.deliver")
                .named("F2 views")
                .compare("kind=directView", "kind=heapView")
                .more("size=65536,131072,262144,524288,1048576,4194304")
                .end();
    }

    private static Claim f3() {
        Row row = Row.of(
                        "F3",
                        NOBODY,
                        "A thread that has written a heap buffer to a channel holds twice its memory, unless "
                                + "-Djdk.nio.maxCachedBufferSize is less.")
                .since(
                        "A thread keeps such buffers in 17, a carrier in 25, where they no longer count as direct memory (JDK-8344882).")
                .once(Engine.PASS, HiddenCache.class)
                .named("F3 direct against heap")
                .jvm("-XX:NativeMemoryTracking=summary")
                .compare("kind=direct", "kind=heap")
                .figures("held")
                .asks(Question.better(1.9))
                .decide("size=65536,1048576")
                .more("size=512,8192,131072,16777216");
        return row.once(Engine.PASS, HiddenCache.class)
                .named("F3 limited")
                .jvm("-XX:NativeMemoryTracking=summary", "-Djdk.nio.maxCachedBufferSize=65536")
                .compare("kind=direct", "kind=heap")
                .figures("held")
                .asks(Question.within(1.05))
                .decide("size=1048576")
                .more("size=131072,16777216")
                .end();
    }

    private static Claim f4() {
        return Row.of("F4", NOBODY, "A new heap buffer of up to 16 KiB is cheaper than one from a pool.")
                .since(
                        "Allocation from the thread's own buffer (TLAB) costs a pointer bump and the zeroing, which grows with the size.")
                .jmh("TlabLane.buffer")
                .compare("contender=buffersHeap", "contender=allocateHeap")
                .asks(AHEAD)
                .decide("size=64,1024,16384")
                .compare("contender=buffersHeap,buffersHeapView", "contender=allocateHeap")
                .more("size=64,128,256,512,1024,2048,4096,8192,16384")
                .end();
    }

    private static Claim f5(String id, String statement, Shared lane) {
        return lane.in(Row.of(id, NOBODY, statement))
                .compare(BEST, OURS)
                .asks(AHEAD)
                .decide(lane.cell())
                .compare(RIVALS, OURS)
                .more(lane.cell())
                .end();
    }

    private static Claim f5VirtualThreads() {
        return memory(
                        Row.of(
                                "F5 virtual threads",
                                NOBODY,
                                "With 200,000 virtual threads the pool is not slower than the fastest."),
                        ManyVirtualThreads.class)
                .unless(VirtualThreads.obstacle().orElse(""))
                .compare("contender=queue,nettyAdaptiveBest", OURS)
                .asks(Question.atMost(1.05).aboutBase())
                .decide("")
                .compare(
                        "contender=queue,allocateDirect,nettyAdaptive,nettyAdaptiveBest,nettyPooledBest,jetty,jettyBest,grizzlyPooled",
                        OURS)
                .more("")
                .end();
    }

    private static Claim f5Bars() {
        Row row = Row.of(
                "F5 bars",
                NOBODY,
                "In every lane the pool is as near to the floor, and as far ahead of its rivals, as its design demands.");
        MIXED.in(row)
                .compare("contender=floor", OURS)
                .asks(Question.atMost(2.3).aboutBase())
                .decide(MIXED.cell())
                .compare(FRAMEWORKS, OURS)
                .asks(Question.better(2).aboutBase())
                .more(MIXED.cell());
        WINDOW1.in(row)
                .compare("contender=floor", OURS)
                .asks(Question.atMost(2.3).aboutBase())
                .decide(WINDOW1.cell());
        row.jmh(WINDOW1.benchmark())
                .named("lane window1 recycled")
                .compare("contender=buffersRecycled", "contender=floor")
                .asks(Question.atMost(1.7))
                .decide(WINDOW1.cell())
                .jmh(WINDOW1.benchmark())
                .named("lane window, threads")
                .compare(OURS + " " + JmhChild.THREADS + "=2", OURS + " " + JmhChild.THREADS + "=1")
                .asks(Question.atMost(1.25))
                .decide("");
        WINDOW2.in(row).compare("contender=nettyAdaptiveBest", OURS).asks(AHEAD).decide(WINDOW2.cell());
        HAND_OFF.in(row)
                .compare("contender=queue", OURS)
                .asks(Question.atMost(1.05).aboutBase())
                .decide(HAND_OFF.cell())
                .compare(FRAMEWORKS + ",handleQueue", OURS)
                .asks(Question.better(1.3).aboutBase())
                .more(HAND_OFF.cell());
        return row.jmh("ChannelLane.turn")
                .named("lane channel")
                .compare("contender=floor", OURS)
                .asks(Question.atMost(0.6).aboutBase())
                .decide("")
                .jmh("LiveLeasesLane.acquireRelease")
                .named("lane live")
                .compare("live=100000", "live=10")
                .asks(Question.atMost(1.25))
                .decide("")
                .end();
    }

    /** Its turns are as long as a scrape's period: twenty times as many scrapes as a Prometheus server makes. */
    private static Claim f5Scraped() {
        Row row = Row.of(
                "F5 scraped", NOBODY, "The pool is not slower while its meters are scraped, twenty times a second.");
        for (Shared lane : List.of(WINDOW1, MIXED, WINDOW2)) {
            row.jmh(lane.benchmark())
                    .named(lane.name() + ", scraped")
                    .compare(OURS + " scrapes=20", OURS + " scrapes=0")
                    .pace(10, 50)
                    .asks(Question.atMost(1.05));
            row = lane == WINDOW1 ? row.decide(lane.cell()) : row.more(lane.cell());
        }
        return row.end();
    }

    private static Claim f6() {
        Row row = memory(
                        Row.of(
                                "F6",
                                NOBODY,
                                "After a burst, after 200,000 virtual threads, after a change of sizes and for idle connections the pool "
                                        + "keeps less memory than the others."),
                        Burst.class)
                .asks(AHEAD)
                .compare("contender=nettyAdaptiveBest,jetty", OURS)
                .figures("kept", "resident")
                .decide("")
                .compare(
                        "contender=nettyAdaptiveBest,jetty,queue,nettyPooledBest,jettyBest,undertow,grizzlyHeap,grizzlyPooled",
                        OURS)
                .more("");
        row = memory(row, Shift.class)
                .asks(AHEAD)
                .figures("kept")
                .compare("contender=nettyAdaptiveBest", OURS)
                .decide("")
                .compare("contender=jetty,jettyBest,nettyAdaptive,nettyPooledBest", OURS)
                .more("");
        row = memory(row, IdleConnections.class)
                .asks(AHEAD)
                .figures("kept")
                .compare("with=ownBuffer", OURS)
                .decide("");
        if (VirtualThreads.obstacle().isEmpty()) {
            row = memory(row, ManyVirtualThreads.class)
                    .asks(AHEAD)
                    .figures("kept")
                    .compare("contender=nettyAdaptiveBest,jetty,grizzlyPooled,queue", OURS)
                    .more("");
        }
        return row.end();
    }

    private static Claim f6Bars() {
        Question kept = Question.atMost(1).aboutBase();
        Row row = memory(
                        Row.of(
                                "F6 bars",
                                NOBODY,
                                "The pool keeps at most 5 % of a burst's peak, 8 MiB after 200,000 virtual threads and 80 bytes for an "
                                        + "idle connection, and grows by at most a quarter when the sizes change."),
                        Burst.class)
                .bar("kept=" + Burst.BAR + " collected=" + Burst.BAR, OURS)
                .asks(kept)
                .figures("kept", "collected")
                .decide("");
        row = memory(row, Shift.class)
                .bar("kept=" + Shift.BAR, OURS)
                .asks(kept)
                .figures("kept")
                .decide("");
        row = memory(row, IdleConnections.class)
                .bar("kept=80", OURS)
                .asks(kept)
                .figures("kept")
                .decide("");
        if (VirtualThreads.obstacle().isEmpty()) {
            row = memory(row, ManyVirtualThreads.class)
                    .bar("kept=8388608", OURS)
                    .asks(kept)
                    .figures("kept")
                    .decide("");
        }
        return row.end();
    }

    private static Row framework(Row row, String framework, String work) {
        String both = "framework=" + framework + " work=" + work;
        return row.server(Engine.FRAMEWORK, framework + ", " + work, HttpLoad.STAYING)
                .compare(both + " ours=true", both);
    }

    private static Claim f7() {
        Row row = Row.of("F7", NOBODY, "A framework's server is not slower on this pool than on its own.");
        for (String framework : List.of("undertow", "jetty", "grizzly")) {
            for (String work : works()) {
                framework(row, framework, work).asks(Question.atMost(1.05));
                boolean deciding = work.equals("streams") && !framework.equals("grizzly");
                row = deciding ? row.decide("connections=64") : row.more("connections=64");
                row.load(HttpLoad.OPEN).figures("p99").more("connections=64");
            }
        }
        return row.end();
    }

    private static Claim f7Memory() {
        Row row = Row.of(
                "F7 memory",
                NOBODY,
                "A framework's server allocates less for a request, and keeps less after a burst, on this pool than on its own.");
        for (String framework : List.of("undertow", "jetty", "grizzly")) {
            for (String work : works()) {
                framework(row, framework, work).figures("allocated");
                boolean deciding = work.equals("streams") && !framework.equals("grizzly");
                row = deciding ? row.decide("connections=64") : row.more("connections=64");
            }
            row.once(Engine.BURST, Burst.class)
                    .named(framework + ", burst")
                    .pace(1, SERVERS_BURST_MILLIS)
                    .jvm("-XX:+AlwaysPreTouch")
                    .compare("framework=" + framework + " ours=true", "framework=" + framework)
                    .figures("kept", "resident")
                    .more("");
        }
        return row.end();
    }

    private static List<String> works() {
        return VirtualThreads.obstacle().isEmpty()
                ? List.of("files", "streams", "virtual")
                : List.of("files", "streams");
    }
}
