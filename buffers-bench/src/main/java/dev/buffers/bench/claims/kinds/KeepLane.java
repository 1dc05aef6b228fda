package dev.buffers.bench.claims.kinds;

import static dev.buffers.bench.claims.Depth.ALL;
import static dev.buffers.bench.claims.Depth.FULL;
import static dev.buffers.bench.claims.Depth.QUICK;

import dev.buffers.bench.claims.JmhExperiment;
import dev.buffers.bench.claims.Point;
import dev.buffers.bench.claims.Point.Grid;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What is it worth to keep a buffer for all I/O of a channel? One write and the reads that bring it to the other end of a
 * connection over the loopback, with buffers that are kept, pooled or allocated each time. A thread has both ends, so that no
 * operation waits for another thread to wake up. What has arrived is checked each time by a stamp.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(5)
@State(Scope.Thread)
public class KeepLane {
    private static final String ID = "keep";

    /** Whose buffers. */
    @Param
    @SuppressWarnings("NullAway.Init") // JMH sets it
    public Strategy strategy;

    /** Bytes. */
    @Param({"1024", "65536"})
    public int size;

    @SuppressWarnings("NullAway.Init") // open() sets it
    private Loopback sockets;

    @SuppressWarnings("NullAway.Init") // open() sets it
    private Exchange exchange;

    private long stamp;

    static Point point(Strategy strategy, int size) {
        return Point.of(ID, "strategy", strategy, "size", size);
    }

    static JmhExperiment experiment() {
        Grid grid = Grid.of(ID);
        return JmhExperiment.of(ID, KeepLane.class, "exchange")
                .question("What is it worth to keep a buffer for all I/O of a channel?")
                .axes("size", "strategy")
                .iterations(3, 4, 70)
                .jvmArguments(AllocateLane.JVM_ARGUMENTS)
                .points(QUICK, List.of(point(Strategy.channelBuffers, 65536), point(Strategy.allocateDirect, 65536)))
                .points(
                        FULL,
                        grid.with(
                                        "strategy",
                                        Strategy.kept,
                                        Strategy.channelBuffers,
                                        Strategy.acquire,
                                        Strategy.allocateDirect)
                                .with("size", 1024, 65536)
                                .points())
                .points(
                        ALL,
                        grid.with("strategy", (Object[]) Strategy.values())
                                .with("size", 64, 256, 1024, 4096, 16384, 65536)
                                .points())
                .build();
    }

    /** Connects. */
    @Setup(Level.Trial)
    public void open() throws IOException {
        int room = Math.max(1 << 16, 4 * size);
        sockets = Loopback.connect(room, room);
        exchange = strategy.open(sockets, size);
    }

    /** Disconnects, and checks that nothing is left. */
    @TearDown(Level.Trial)
    public void close() throws IOException {
        sockets.close();
        exchange.close();
    }

    /** One write, and reads until all has come: one, as a rule. */
    @Benchmark
    public long exchange() throws IOException {
        exchange.exchange(++stamp);
        return stamp;
    }

    /** Whose buffers are used. */
    public enum Strategy {
        /** One plain direct buffer for each end, as long as the connection lives. */
        kept {
            @Override
            Exchange open(Loopback sockets, int size) {
                return new Exchange.Kept(sockets, size);
            }
        },
        /** This library's {@code ChannelBuffers}, one for each end. */
        channelBuffers {
            @Override
            Exchange open(Loopback sockets, int size) {
                return new Exchange.OfChannels(sockets, size);
            }
        },
        /** This library, a lease for each write and for each message read. */
        acquire {
            @Override
            Exchange open(Loopback sockets, int size) {
                return new Exchange.Acquired(sockets, size);
            }
        },
        /** {@code ByteBuffer.allocateDirect} for each. */
        allocateDirect {
            @Override
            Exchange open(Loopback sockets, int size) {
                return new Exchange.Allocated(sockets, size, true);
            }
        },
        /** {@code ByteBuffer.allocate} for each. */
        allocateHeap {
            @Override
            Exchange open(Loopback sockets, int size) {
                return new Exchange.Allocated(sockets, size, false);
            }
        };

        abstract Exchange open(Loopback sockets, int size);
    }
}
