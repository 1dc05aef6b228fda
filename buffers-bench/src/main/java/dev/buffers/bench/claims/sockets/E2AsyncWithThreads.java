package dev.buffers.bench.claims.sockets;

import dev.buffers.bench.claims.Claim;
import java.util.List;

/** E2: the thread that waits hands the work to others. */
final class E2AsyncWithThreads implements Claim {

    @Override
    public String id() {
        return "E2";
    }

    @Override
    public Source source() {
        return AsyncAgainstNio.SOURCE;
    }

    @Override
    public String statement() {
        return "With threads asynchronous sockets lose to plain NIO ones, in latency and in throughput.";
    }

    @Override
    public String then() {
        return "NIO 234 K/s, 8.5 us at 50 %; asynchronous 183 K/s, 16.9 us";
    }

    @Override
    public String since() {
        return AsyncAgainstNio.SINCE;
    }

    @Override
    public List<Trial> trials() {
        return AsyncAgainstNio.better(Lane.NIO_THREADED, Lane.ASYNC_THREADED);
    }
}
