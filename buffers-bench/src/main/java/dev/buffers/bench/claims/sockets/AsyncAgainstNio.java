package dev.buffers.bench.claims.sockets;

import dev.buffers.bench.claims.Claim;
import dev.buffers.bench.claims.Claim.Trial;
import dev.buffers.bench.claims.Figure;
import dev.buffers.bench.claims.Point;
import java.util.List;

/** What the two claims share: their source, and that each comparison is made for throughput and for latency. */
final class AsyncAgainstNio {
    static final Claim.Source SOURCE = new Claim.Source(
            2011,
            "asynchronous against plain NIO sockets, loopback round trips through 4,096-byte direct buffers, best of three",
            "Java 7 update 0");

    static final String SINCE =
            "On Linux asynchronous channels still are epoll and a pool of threads, not completions of the kernel's; "
                    + "selectors take a lambda and make no garbage since 11; since 21 blocking channels serve virtual threads.";

    private AsyncAgainstNio() {}

    /** That one lane is better than another, by what was measured then: one connection, one message in flight, and pipelined. */
    static List<Trial> better(Lane claimant, Lane other) {
        Point mine = RoundTrips.source(claimant);
        Point theirs = RoundTrips.source(other);
        Point mineFull = RoundTrips.source(claimant, EchoBuffers.SIZE);
        Point theirsFull = RoundTrips.source(other, EchoBuffers.SIZE);
        return List.of(
                trial("64 bytes, one in flight: round trips/s", mine, theirs, RoundTrips.RATE),
                trial("64 bytes, one in flight: us at 50 %", mine, theirs, RoundTrips.P50),
                trial("4,096 bytes, one in flight: round trips/s", mineFull, theirsFull, RoundTrips.RATE),
                trial("4,096 bytes, one in flight: us at 50 %", mineFull, theirsFull, RoundTrips.P50),
                trial(
                        "64 bytes, 32 in flight: round trips/s",
                        RoundTrips.pipelined(claimant),
                        RoundTrips.pipelined(other),
                        RoundTrips.RATE));
    }

    /** What the source's code shows: futures that a thread waits for, beside a blocking channel. */
    static List<Trial> asTheSourceDid() {
        Point mine = RoundTrips.source(Lane.ASYNC_FUTURE);
        Point theirs = RoundTrips.source(Lane.BLOCKING);
        return List.of(
                trial("futures against blocking channels: round trips/s", mine, theirs, RoundTrips.RATE),
                trial("futures against blocking channels: us at 50 %", mine, theirs, RoundTrips.P50));
    }

    private static Trial trial(String label, Point claimant, Point other, Figure figure) {
        return Trial.better(label, claimant, other, figure);
    }
}
