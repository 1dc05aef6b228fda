package dev.buffers.bench.claims.kinds;

import static dev.buffers.bench.claims.Depth.ALL;
import static dev.buffers.bench.claims.Depth.FULL;
import static dev.buffers.bench.claims.Depth.QUICK;

import dev.buffers.bench.claims.JmhExperiment;
import dev.buffers.bench.claims.Point;
import dev.buffers.bench.claims.Point.Grid;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
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
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does it cost to read 1 MiB in chunks of at most so many bytes? A connection is written by a thread of its own and may
 * bring less at once. Each time the last byte is looked at, whose value follows from how many were read before.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(5)
@State(Scope.Thread)
public class ReadLane {
    /** Bytes in one operation. */
    static final int TOTAL = 1 << 20;

    private static final String ID = "read";

    /** How. */
    @Param
    @SuppressWarnings("NullAway.Init") // JMH sets it
    public Via via;

    /** Where from. */
    @Param
    @SuppressWarnings("NullAway.Init") // JMH sets it
    public Source source;

    /** At most so many bytes in each read. */
    @Param({"8192", "131072", "1048576"})
    public int chunk;

    @SuppressWarnings("NullAway.Init") // open() sets it
    private Inlet inlet;

    @SuppressWarnings("NullAway.Init") // open() sets it
    Reader reader;

    private long total;

    static Point point(Via via, Source source, int chunk) {
        return Point.of(ID, "via", via, "source", source, "chunk", chunk);
    }

    static JmhExperiment experiment() {
        Grid grid = Grid.of(ID);
        return JmhExperiment.of(ID, ReadLane.class, "read")
                .question("What does it cost to read 1 MiB in chunks of at most so many bytes?")
                .axes("chunk", "via", "source")
                .iterations(3, 4, 70)
                .obstacle(ReadLane::obstacle)
                .points(
                        QUICK,
                        List.of(
                                point(Via.channelDirect, Source.file, 8192),
                                point(Via.channelDirect, Source.file, 1 << 20)))
                .points(
                        FULL,
                        grid.with("via", Via.stream, Via.channelDirect)
                                .with("source", (Object[]) Source.values())
                                .with("chunk", 8192, 131072, 1 << 20)
                                .points())
                .points(
                        ALL,
                        grid.with("via", (Object[]) Via.values())
                                .with("source", (Object[]) Source.values())
                                .with("chunk", 2048, 8192, 32768, 131072, 1 << 20)
                                .points())
                .points(
                        ALL,
                        grid.with("via", Via.stream, Via.channelDirect)
                                .with("source", (Object[]) Source.values())
                                .with("chunk", 4096, 16384, 65536, 1 << 18, 1 << 19)
                                .points())
                .build();
    }

    private static Optional<String> obstacle(Point point) {
        return point.get("source").equals(Source.devZero.name()) && !Files.isReadable(Inlet.DevZero.PATH)
                ? Optional.of("there is no " + Inlet.DevZero.PATH)
                : Optional.empty();
    }

    /** Opens the way. */
    @Setup(Level.Trial)
    public void open() throws IOException {
        inlet = source.open();
        reader = via.open(inlet, chunk);
    }

    /** Closes it. */
    @TearDown(Level.Trial)
    public void close() throws IOException {
        reader.close();
        inlet.close();
    }

    /** All the bytes. */
    @Benchmark
    public long read() throws IOException {
        int left = TOTAL;
        int n = 0;
        reader.spoil(chunk - 1);
        while (left > 0) {
            n = reader.read(Math.min(chunk, left));
            if (n < 0) {
                throw new EOFException("the source has ended: left=" + left);
            }
            left -= n;
        }
        total += TOTAL;
        if (reader.at(n - 1) != inlet.at(total - 1)) {
            throw new IOException("not what was to be read: index=" + (total - 1) + ", found=" + reader.at(n - 1));
        }
        inlet.tookAll();
        return total;
    }

    /** Where bytes are read from. */
    public enum Source {
        /** Zeros: the best case. */
        devZero {
            @Override
            Inlet open() throws IOException {
                return new Inlet.DevZero();
            }
        },
        /** A file in memory. */
        file {
            @Override
            Inlet open() throws IOException {
                return new Inlet.Reread();
            }
        },
        /** A connection over the loopback. */
        socket {
            @Override
            Inlet open() throws IOException {
                return new Inlet.Connection();
            }
        };

        abstract Inlet open() throws IOException;
    }

    /** How bytes are read. */
    public enum Via {
        /** From the JDK's own stream into an array. */
        stream {
            @Override
            Reader open(Inlet inlet, int size) throws IOException {
                return new Reader.StreamToArray(inlet.stream(), new byte[size]);
            }
        },
        /** From a channel into a heap buffer. */
        channelHeap {
            @Override
            Reader open(Inlet inlet, int size) throws IOException {
                return new Reader.ChannelToBuffer(BufferKind.heap, inlet.channel(), size);
            }
        },
        /** From a channel into a direct buffer. */
        channelDirect {
            @Override
            Reader open(Inlet inlet, int size) throws IOException {
                return new Reader.ChannelToBuffer(BufferKind.direct, inlet.channel(), size);
            }
        },
        /** From a channel into a view of a large heap buffer. */
        channelHeapView {
            @Override
            Reader open(Inlet inlet, int size) throws IOException {
                return new Reader.ChannelToBuffer(BufferKind.heapView, inlet.channel(), size);
            }
        },
        /** From a channel into a view of a large direct buffer. */
        channelDirectView {
            @Override
            Reader open(Inlet inlet, int size) throws IOException {
                return new Reader.ChannelToBuffer(BufferKind.directView, inlet.channel(), size);
            }
        };

        abstract Reader open(Inlet inlet, int size) throws IOException;
    }
}
