package dev.buffers.bench.lanes;

import static java.util.Objects.requireNonNull;

import dev.buffers.bench.claims.Depth;
import dev.buffers.bench.claims.JmhExperiment;
import dev.buffers.bench.claims.Point;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.Optional;
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
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does memory that can be freed at once ({@code free=prompt}) cost a socket? One write and one read of it, over the
 * loopback, with buffers cut from one direct region or from one shared arena, which each of the two calls acquires and
 * releases: the difference is the price of one write and one read. Where that drowns in what the system takes, the read of an
 * idle socket, the cheapest call that there is, shows the price of one call.
 *
 * <p>A thread has both ends of its connection, so that no operation waits for another thread to wake up; all threads share the
 * region, as they do in a pool. The arena needs Java 22.
 *
 * <p>{@code java -jar buffers-bench/target/buffers-bench.jar jmh FreeingLane}
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(5)
public class FreeingLane {
    private static final int REGION = 1 << 20;
    private static final int ARENAS = 22;
    private static final String MEMORY = "memory";

    /** Each of its benchmarks, for whoever asks for everything: no claim rests on them. */
    static List<JmhExperiment> experiments() {
        return List.of(
                experiment("freeing-exchange1", "exchange1", "size", 64, 4096, 65536),
                experiment("freeing-exchange2", "exchange2", "size", 64, 4096, 65536),
                experiment("freeing-read1", "emptyRead1", MEMORY, (Object[]) Memory.values()),
                experiment("freeing-read2", "emptyRead2", MEMORY, (Object[]) Memory.values()));
    }

    private static JmhExperiment experiment(String id, String method, String x, Object... values) {
        return JmhExperiment.of(id, FreeingLane.class, method)
                .question("What does memory that can be freed at once cost a socket?")
                .axes(x, MEMORY)
                .points(
                        Depth.ALL,
                        Point.Grid.of(id)
                                .with(MEMORY, (Object[]) Memory.values())
                                .with(x, values)
                                .points())
                .obstacle(FreeingLane::obstacle)
                .build();
    }

    private static Optional<String> obstacle(Point point) {
        return point.get(MEMORY).equals(Memory.arena.name())
                        && Runtime.version().feature() < ARENAS
                ? Optional.of("arenas need Java " + ARENAS + " or later")
                : Optional.empty();
    }

    /** One thread. */
    @Benchmark
    @Threads(1)
    public int exchange1(Connection connection) throws IOException {
        return connection.exchange();
    }

    /** Two threads, each with a connection of its own, and buffers of the same region. */
    @Benchmark
    @Threads(2)
    public int exchange2(Connection connection) throws IOException {
        return connection.exchange();
    }

    /** A read that finds nothing; one thread. */
    @Benchmark
    @Threads(1)
    public int emptyRead1(Idle idle) throws IOException {
        return idle.read();
    }

    /** The same on two threads. */
    @Benchmark
    @Threads(2)
    public int emptyRead2(Idle idle) throws IOException {
        return idle.read();
    }

    /** Whose memory a region is. */
    public enum Memory {
        /** The collector's. */
        direct {
            @Override
            ByteBuffer allocate() {
                return ByteBuffer.allocateDirect(REGION);
            }
        },
        /** A shared arena's. */
        arena {
            @Override
            ByteBuffer allocate() throws ReflectiveOperationException {
                Class<?> type = Class.forName("java.lang.foreign.Arena");
                Object arena = type.getMethod("ofShared").invoke(null);
                Object segment =
                        type.getMethod("allocate", long.class, long.class).invoke(arena, REGION, 64);
                Object buffer = Class.forName("java.lang.foreign.MemorySegment")
                        .getMethod("asByteBuffer")
                        .invoke(segment);
                return (ByteBuffer) requireNonNull(buffer);
            }
        };

        abstract ByteBuffer allocate() throws ReflectiveOperationException;
    }

    /** What all threads cut their buffers from; it lives as long as the fork. */
    @State(Scope.Benchmark)
    public static class Region {
        /** Which. */
        @Param
        @SuppressWarnings("NullAway.Init") // JMH sets it
        public Memory memory;

        @SuppressWarnings("NullAway.Init") // allocate() sets it
        private ByteBuffer uncut;

        /** Allocates it. */
        @Setup(Level.Trial)
        public void allocate() throws ReflectiveOperationException {
            uncut = memory.allocate();
        }

        synchronized ByteBuffer cut(int size) {
            ByteBuffer cut = uncut.slice(uncut.position(), size);
            uncut.position(uncut.position() + size);
            return cut;
        }
    }

    /** A thread's connection, both ends of it. */
    @State(Scope.Thread)
    public static class Connection {
        /** How much is written and read. */
        @Param({"64", "4096", "65536"})
        public int size;

        @SuppressWarnings("NullAway.Init") // open() sets it
        private Pair sockets;

        @SuppressWarnings("NullAway.Init") // open() sets it
        private ByteBuffer out;

        @SuppressWarnings("NullAway.Init") // open() sets it
        private ByteBuffer in;

        /** Connects, and fills what is to be written. */
        @Setup(Level.Trial)
        public void open(Region region) throws IOException {
            sockets = Pair.connect(4 * size);
            out = region.cut(size);
            in = region.cut(size);
            for (int i = 0; i < size; i++) {
                out.put(i, (byte) (i * 31));
            }
        }

        /** Checks that what was read last is what was written, and disconnects. */
        @TearDown(Level.Trial)
        public void close() throws IOException {
            if (!in.flip().equals(out.flip())) {
                throw new IllegalStateException("read something else than was written: in=" + in + ", out=" + out);
            }
            sockets.close();
        }

        /** One write, and reads until all has come: one, as a rule. */
        int exchange() throws IOException {
            out.clear();
            while (out.hasRemaining()) {
                sockets.near.write(out);
            }
            in.clear();
            int reads = 0;
            while (in.hasRemaining()) {
                if (sockets.far.read(in) < 0) {
                    throw new IOException("the connection has ended");
                }
                reads++;
            }
            return reads;
        }
    }

    /** A thread's connection on which nothing comes. */
    @State(Scope.Thread)
    public static class Idle {
        @SuppressWarnings("NullAway.Init") // open() sets it
        private Pair sockets;

        @SuppressWarnings("NullAway.Init") // open() sets it
        private ByteBuffer in;

        /** Connects; reads do not wait. */
        @Setup(Level.Trial)
        public void open(Region region) throws IOException {
            sockets = Pair.connect(1 << 16);
            sockets.near.configureBlocking(false);
            in = region.cut(4096);
        }

        /** Disconnects. */
        @TearDown(Level.Trial)
        public void close() throws IOException {
            sockets.close();
        }

        int read() throws IOException {
            int read = sockets.near.read(in);
            if (read != 0) {
                throw new IOException("the connection is not idle: read=" + read);
            }
            return read;
        }
    }

    /** Both ends of a connection over the loopback, with room in the system for so many bytes, and nothing held back. */
    private record Pair(SocketChannel near, SocketChannel far) {
        static Pair connect(int room) throws IOException {
            try (ServerSocketChannel server = ServerSocketChannel.open()) {
                server.setOption(StandardSocketOptions.SO_RCVBUF, room);
                server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                SocketChannel near = SocketChannel.open(server.getLocalAddress());
                near.setOption(StandardSocketOptions.SO_SNDBUF, room);
                near.setOption(StandardSocketOptions.TCP_NODELAY, true);
                return new Pair(near, server.accept());
            }
        }

        void close() throws IOException {
            near.close();
            far.close();
        }
    }
}
