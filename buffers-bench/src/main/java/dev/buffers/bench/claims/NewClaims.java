// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.claims;

import dev.buffers.bench.frameworks.Way;
import dev.buffers.bench.pools.Burst;
import dev.buffers.bench.pools.Shift;
import dev.buffers.bench.pools.contenders.Contenders;
import java.util.List;
import java.util.stream.Collectors;

/** Claims without a published measurement, F1 to F9 in the notation of {@link ClaimText}, and the workloads that they share. */
public final class NewClaims {
    private static final Claim.Source NO_SOURCE = new Claim.Source(2026, "this library", "no published measurement");

    /** The frameworks of the short run, which takes no more than 45 minutes; the others run with all cells. */
    private static final List<String> DECIDING = List.of("tomcat", "jetty");

    /** The waits of the short run. */
    private static final List<String> DECIDING_WAITS =
            List.of("tomcat" + Way.KEEP_ALIVE, "tomcat" + Way.WEBSOCKET, "tomcat" + Way.SSE);

    private static final String CLAIMS = """
            F1: Three or more classes of buffers through one call site make reading byte by byte slower there.
            since: A call site remembers two classes (TypeProfileWidth), in 17 and in 25.
            jmh: PollutionBenchmark.read as F1 heap: kind=heap others=2,3 against kind=heap others=0
            asks: base better
            decide: op=elements
            compare: kind=heap others=1 against kind=heap others=0
            asks: either
            more: op=elements,bulk
            jmh: PollutionBenchmark.read as F1 direct: kind=direct others=2,3 against kind=direct others=0
            asks: base better
            decide: op=elements
            compare: kind=direct others=1,2,3 against kind=direct others=0
            asks: either
            more: op=bulk

            F2: What a slow peer takes in small parts is delivered faster from a direct buffer than from a heap buffer.
            since: Unchanged: each write of a heap buffer first copies all that remains of it.
            jmh: PartialWriteBenchmark.deliver: kind=direct against kind=heap
            decide: size=65536,1048576
            more: size=65536,131072,262144,524288,1048576,4194304
            jmh: PartialWriteBenchmark.deliver as F2 views: kind=directView against kind=heapView
            more: size=65536,131072,262144,524288,1048576,4194304

            F3: A thread that has written a heap buffer to a channel holds twice its memory, unless \
            -Djdk.nio.maxCachedBufferSize is less.
            since: A thread keeps such buffers in 17, a carrier in 25, where they no longer count as direct memory (JDK-8344882).
            pass: work.HiddenCache as F3 direct against heap: kind=direct against kind=heap
            jvm: -XX:NativeMemoryTracking=summary
            figures: held
            asks: better 1.9
            decide: size=65536,1048576
            more: size=512,8192,131072,16777216
            pass: work.HiddenCache as F3 limited: kind=direct against kind=heap
            jvm: -XX:NativeMemoryTracking=summary -Djdk.nio.maxCachedBufferSize=65536
            asks: within 1.05
            decide: size=1048576
            more: size=131072,16777216

            F4: A new heap buffer of up to 16 KiB is cheaper than one from a pool.
            since: Allocation from the thread's own buffer (TLAB) costs a pointer bump and the zeroing, which grows with the size.
            jmh: TlabBenchmark.buffer: contender=buffersHeap against contender=allocateHeap
            asks: base better
            decide: size=64,1024,16384
            compare: contender=buffersHeap,buffersHeapView against contender=allocateHeap
            more: size=64,128,256,512,1024,2048,4096,8192,16384

            F5 mixed: For a lease that stays in its method the pool is faster than every rival.
            jmh: MixedBenchmark.mixed as mixed: $BEST against $OURS
            asks: base better
            decide: -
            compare: contender=$RIVALS against $OURS
            more: -

            F5 window: For leases that are kept for a while the pool is faster than every rival.
            jmh: WindowBenchmark.window as window1: $BEST against $OURS
            asks: base better
            decide: threads=1
            compare: contender=$RIVALS against $OURS
            more: threads=1

            F5 two threads: On two threads the pool is faster than every rival.
            jmh: WindowBenchmark.window as window2: $BEST against $OURS
            asks: base better
            decide: threads=2
            compare: contender=$RIVALS against $OURS
            more: threads=2

            F5 hand-off: When one thread acquires and another releases, the pool is faster than every rival.
            jmh: HandOffBenchmark.handOff as handoff: $BEST against $OURS
            asks: base better
            decide: -
            compare: contender=$RIVALS against $OURS
            more: -

            F5 virtual threads: With 200,000 virtual threads the pool is not slower than the fastest.
            needs: virtual threads
            pass: pools.ManyVirtualThreads: contender=queue,nettyAdaptiveBest against $OURS
            $MEMORY
            asks: base at-most 1.05
            decide: -
            compare: contender=queue,allocateDirect,nettyAdaptive,nettyAdaptiveBest,nettyPooledBest,jetty,jettyBest,\
            grizzlyPooled against $OURS
            more: -

            F5 targets: In every workload the pool is as near to the floor, and as far ahead of its rivals, as its design demands.
            jmh: MixedBenchmark.mixed as mixed: contender=floor against $OURS
            asks: base at-most 2.3
            decide: -
            compare: $FRAMEWORKS against $OURS
            asks: base better 2
            more: -
            jmh: WindowBenchmark.window as window1: contender=floor against $OURS
            asks: base at-most 2.3
            decide: threads=1
            jmh: WindowBenchmark.window as window, threads: $OURS threads=2 against $OURS threads=1
            asks: at-most 1.25
            decide: -
            jmh: WindowBenchmark.window as window2: contender=nettyAdaptiveBest against $OURS
            asks: base better
            decide: threads=2
            jmh: HandOffBenchmark.handOff as handoff: contender=queue against $OURS
            asks: base at-most 1.05
            decide: -
            compare: $FRAMEWORKS,handleQueue against $OURS
            asks: base better 1.3
            more: -
            jmh: ChannelBenchmark.turn as channel: contender=floor against $OURS
            asks: base at-most 0.6
            decide: -
            jmh: LiveLeasesBenchmark.acquireRelease as live: live=100000 against live=10
            asks: at-most 1.25
            decide: -

            F5 scraped: The pool is not slower while its meters are scraped, twenty times a second.
            jmh: WindowBenchmark.window as window1, scraped: $OURS scrapes=20 against $OURS scrapes=0
            $AS_LONG_AS_A_SCRAPE
            decide: threads=1
            jmh: MixedBenchmark.mixed as mixed, scraped: $OURS scrapes=20 against $OURS scrapes=0
            $AS_LONG_AS_A_SCRAPE
            more: -
            jmh: WindowBenchmark.window as window2, scraped: $OURS scrapes=20 against $OURS scrapes=0
            $AS_LONG_AS_A_SCRAPE
            more: threads=2

            F6: After a burst, after 200,000 virtual threads, after a change of sizes and for idle connections the pool keeps \
            less memory than the others.
            needs: a resident set
            pass: pools.Burst: contender=nettyAdaptiveBest,jetty against $OURS
            $BURST
            asks: base better
            figures: kept resident
            decide: -
            compare: contender=nettyAdaptiveBest,jetty,queue,nettyPooledBest,jettyBest,undertow,grizzlyHeap,grizzlyPooled \
            against $OURS
            more: -
            pass: pools.Shift: contender=nettyAdaptiveBest against $OURS
            $MEMORY
            figures: kept
            decide: -
            compare: contender=jetty,jettyBest,nettyAdaptive,nettyPooledBest against $OURS
            more: -
            pass: pools.IdleConnections: with=ownBuffer against $OURS
            $MEMORY
            decide: -
            pass: pools.ManyVirtualThreads: contender=nettyAdaptiveBest,jetty,grizzlyPooled,queue against $OURS
            needs: virtual threads
            $MEMORY
            more: -

            F6 targets: The pool keeps at most 5 % of a burst's peak, 8 MiB after 200,000 virtual threads and 80 bytes for an idle \
            connection, and grows by at most a quarter when the sizes change.
            needs: a resident set
            pass: pools.Burst: target kept=$BURST_TARGET collected=$BURST_TARGET against $OURS
            $BURST
            asks: base at-most 1
            figures: kept collected
            decide: -
            pass: pools.Shift: target kept=$SHIFT_TARGET against $OURS
            $MEMORY
            figures: kept
            decide: -
            pass: pools.IdleConnections: target kept=80 against $OURS
            $MEMORY
            decide: -
            pass: pools.ManyVirtualThreads: target kept=8388608 against $OURS
            needs: virtual threads
            $MEMORY
            decide: -
            """;

    /** The workloads, without any claim: which is cheaper? */
    private static final String POOLS = """
            mixed: The pool against $WHOM.
            jmh: MixedBenchmark.mixed as mixed: contender=floor$OTHERS against $OURS
            asks: either
            decide: -

            window1: The pool against $WHOM.
            jmh: WindowBenchmark.window as window1: contender=floor$OTHERS against $OURS
            asks: either
            decide: threads=1

            window2: The pool against $WHOM.
            jmh: WindowBenchmark.window as window2: contender=floor$OTHERS against $OURS
            asks: either
            decide: threads=2

            handoff: The pool against pools into which any thread may release.
            jmh: HandOffBenchmark.handOff as handoff: contender=$HANDED against $OURS
            asks: either
            decide: -

            channel: A busy channel's input against the floor.
            jmh: ChannelBenchmark.turn as channel: contender=floor against $OURS
            asks: either
            decide: -

            live: 100,000 live leases against 10.
            jmh: LiveLeasesBenchmark.acquireRelease as live: live=100000 against live=10
            asks: either
            decide: -
            """;

    private static final String MEMORY_OF_RIVALS = """

            burst: What a burst of 312 MiB leaves behind.
            needs: a resident set
            pass: pools.Burst: contender=nettyAdaptiveBest,nettyPooledBest,jetty,jettyBest,undertow,grizzlyHeap,\
            grizzlyPooled,queue$PROMPT against $OURS
            $BURST
            asks: either
            figures: kept resident
            decide: -

            virtual: 200,000 virtual threads.
            needs: virtual threads
            pass: pools.ManyVirtualThreads: contender=queue,allocateDirect,nettyAdaptiveBest,nettyPooledBest,jetty,\
            grizzlyPooled against $OURS
            $MEMORY
            asks: either
            figures: cpu wall kept
            decide: -

            sleepers: 200 threads that use five sizes and sleep in between.
            needs: a resident set
            pass: pools.Sleepers: contender=allocateDirect,nettyAdaptive,nettyAdaptiveBest,nettyPooledBest,jetty,jettyBest,\
            grizzlyPooled against $OURS
            $MEMORY
            asks: either
            figures: cpu kept resident
            decide: -
            """;

    private NewClaims() {}

    static List<Claim> claims() {
        return read(CLAIMS + frameworks());
    }

    /**
     * The workloads.
     *
     * @param rivals whether all pools take part, or only the floor, and for the hand-off a queue
     */
    public static List<Claim> pools(boolean rivals) {
        String text = POOLS.replace("$WHOM", rivals ? "its rivals" : "the floor")
                .replace("$OTHERS", rivals ? ",$RIVALS" : "")
                .replace("$HANDED", rivals ? "$RIVALS" : "queue");
        return read(rivals ? text + MEMORY_OF_RIVALS : text);
    }

    /** What the claims share. A scraped workload has a scrape in each turn: twenty times as many as a Prometheus server makes. */
    private static List<Claim> read(String text) {
        String memory = "\njvm: -XX:+UseG1GC -Xms512m -Xmx2g -XX:+AlwaysPreTouch -XX:MaxDirectMemorySize=1g";
        String rivals = Contenders.rivals().stream().map(Enum::name).collect(Collectors.joining(","));
        return ClaimText.read(
                NO_SOURCE,
                text.replace("$RIVALS", rivals)
                        .replace("$OURS", "contender=buffers")
                        .replace("$BEST", "contender=queue,nettyAdaptiveBest,jettyBest")
                        .replace("$FRAMEWORKS", "contender=nettyAdaptiveBest,jettyBest,grizzlyPooled,undertow")
                        .replace("$PROMPT", Contenders.buffersPrompt.isAvailable() ? ",buffersPrompt" : "")
                        .replace("$BURST_TARGET", String.valueOf(Burst.TARGET))
                        .replace("$SHIFT_TARGET", String.valueOf(Shift.TARGET))
                        .replace("$BURST", "turns: 1 x 17000" + memory)
                        .replace("$MEMORY", "turns: 1 x 2000" + memory)
                        .replace("$AS_LONG_AS_A_SCRAPE", "turns: 10 x 50\nasks: at-most 1.05"));
    }

    /** F7: each framework on our pool and on its own, at each kind of work. */
    private static String frameworks() {
        StringBuilder time = new StringBuilder("""

                F7: A framework's server is not slower on this pool than on its own.
                """);
        StringBuilder memory = new StringBuilder("""

                F7 memory: A framework's server allocates less for a request, and keeps less after a burst, on this pool than \
                on its own.
                """);
        StringBuilder bursts = new StringBuilder();
        for (String framework : List.of("tomcat", "jetty", "undertow", "grizzly")) {
            for (String work : List.of("files", "streams", "streams tls=true", "virtual")) {
                String both = "framework=" + framework + " work=" + work;
                String comparison = "framework: staying as " + framework + ", " + work.replace(" tls=true", " with TLS")
                        + ": " + both + " ours=true against " + both
                        + (work.equals("virtual") ? "\nneeds: virtual threads\n" : "\n");
                String cells = (work.equals("streams") && DECIDING.contains(framework) ? "decide" : "more")
                        + ": connections=64\n";
                time.append(comparison + "asks: at-most 1.05\nfigures: cpu\n" + cells
                        + "load: open\nfigures: p50 p99\nmore: connections=64\n");
                memory.append(comparison + "figures: allocated\n" + cells);
            }
            bursts.append("""
                    burst: pools.Burst as $FRAMEWORK, burst: framework=$FRAMEWORK ours=true against framework=$FRAMEWORK
                    turns: 1 x 20000
                    jvm: -XX:+AlwaysPreTouch -XX:MaxDirectMemorySize=1g
                    figures: kept resident
                    more: -
                    """.replace("$FRAMEWORK", framework));
        }
        return time.append(memory)
                .append(bursts)
                .append(waiting())
                .append(exchanges())
                .toString();
    }

    /** F8: each server, way to wait, and layer. */
    private static String waiting() {
        StringBuilder text = new StringBuilder("""

                F8: A server holds less for a connection that waits on this pool than on its own buffers.
                jvm: -Xms1g -Xmx2000m -XX:MaxDirectMemorySize=2g -XX:TieredStopAtLevel=1
                figures: held resident
                """);
        for (String server : Way.SERVERS) {
            for (boolean secure : new boolean[] {false, true}) {
                for (Way way : Way.values()) {
                    if (way.obstacle(server).isEmpty()) {
                        String depth = !secure && DECIDING_WAITS.contains(server + way) ? "decide" : "more";
                        text.append("""
                                waiting: $WAY as $SERVER, $WAY: $BOTH ours=pool against $BOTH
                                turns: 1 x 9000
                                $DEPTH: -
                                """.replace("$WAY", way.text())
                                .replace("$SERVER", server + (secure ? " with TLS" : ""))
                                .replace("$DEPTH", depth)
                                .replace("$BOTH", "framework=" + server + (secure ? " tls=TLS" : "")));
                    }
                }
            }
        }
        return text.toString();
    }

    /** F9: each server, layer, and way whose connections go on and wait again. */
    private static String exchanges() {
        StringBuilder text = new StringBuilder("""

                F9: When a connection goes on after a wait, its request or message costs a server at most 5 % more on this pool \
                than on its own buffers.
                asks: at-most 1.05
                """);
        for (String server : Way.SERVERS) {
            for (boolean secure : new boolean[] {false, true}) {
                for (Way way : Way.EXCHANGING) {
                    if (way.obstacle(server).isEmpty()) {
                        String depth = server.equals("tomcat") && !secure ? "decide" : "more";
                        text.append("""
                                exchange: messages as $SERVER, $WAY, messages: $BOTH ours=pool against $BOTH
                                $DEPTH: -
                                """.replace("$WAY", way.text())
                                .replace("$SERVER", server + (secure ? " with TLS" : ""))
                                .replace("$DEPTH", depth)
                                .replace(
                                        "$BOTH",
                                        "framework=" + server + " way=" + way.text() + (secure ? " tls=TLS" : "")));
                    }
                }
            }
        }
        return text.toString();
    }
}
