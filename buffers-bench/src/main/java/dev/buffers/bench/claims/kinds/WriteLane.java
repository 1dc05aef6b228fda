package dev.buffers.bench.claims.kinds;

import static dev.buffers.bench.claims.Depth.ALL;
import static dev.buffers.bench.claims.Depth.FULL;
import static dev.buffers.bench.claims.Depth.QUICK;

import dev.buffers.bench.claims.JmhExperiment;
import dev.buffers.bench.claims.Point;
import dev.buffers.bench.claims.Point.Grid;
import java.io.IOException;
import java.nio.channels.Channels;
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
 * What does it cost to write so many bytes at once? They are there already, in the array or in the buffer: whoever compares
 * ways that begin with filling an array would fill it in both. A connection is read by a thread of its own; what has been
 * written is counted at the other end, and a file is compared.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(5)
@State(Scope.Thread)
public class WriteLane {
    private static final String ID = "write";

    /** How. */
    @Param
    @SuppressWarnings("NullAway.Init") // JMH sets it
    public Via via;

    /** Where to. */
    @Param
    @SuppressWarnings("NullAway.Init") // JMH sets it
    public Sink sink;

    /** Bytes in each write. */
    @Param({"512", "8192", "8193", "131072", "1048576"})
    public int size;

    @SuppressWarnings("NullAway.Init") // open() sets it
    private Outlet outlet;

    @SuppressWarnings("NullAway.Init") // open() sets it
    private Writer writer;

    static Point point(Via via, Sink sink, int size) {
        return Point.of(ID, "via", via, "sink", sink, "size", size);
    }

    static JmhExperiment experiment() {
        Grid grid = Grid.of(ID);
        Object[] files = {Sink.devNull, Sink.file};
        return JmhExperiment.of(ID, WriteLane.class, "write")
                .question("What does it cost to write so many bytes at once?")
                .axes("size", "via", "sink")
                .iterations(3, 4, 70)
                .obstacle(WriteLane::obstacle)
                .points(
                        QUICK,
                        List.of(
                                point(Via.stream, Sink.devNull, 8192),
                                point(Via.stream, Sink.devNull, 8193),
                                point(Via.stream, Sink.devNull, 1 << 20),
                                point(Via.staged, Sink.devNull, 1 << 20),
                                point(Via.channelDirect, Sink.devNull, 1 << 20),
                                point(Via.channelStream, Sink.devNull, 1 << 20)))
                .points(
                        FULL,
                        grid.with("via", Via.stream)
                                .with("sink", (Object[]) Sink.values())
                                .with("size", 512, 2048, 8192, 8193, 131072, 1 << 20)
                                .points())
                .points(FULL, List.of(point(Via.stream, Sink.devNull, 8191)))
                .points(
                        FULL,
                        grid.with("via", Via.staged)
                                .with("sink", (Object[]) Sink.values())
                                .with("size", 512, 2048, 131072, 1 << 20)
                                .points())
                .points(
                        FULL,
                        grid.with("via", Via.pooledStream)
                                .with("sink", files)
                                .with("size", 512, 2048, 1 << 20)
                                .points())
                .points(
                        FULL,
                        grid.with("via", Via.channelDirect)
                                .with("sink", (Object[]) Sink.values())
                                .with("size", 512, 8192, 131072, 1 << 20)
                                .points())
                .points(
                        FULL,
                        grid.with("via", Via.channelHeap)
                                .with("sink", (Object[]) Sink.values())
                                .with("size", 512, 1 << 20)
                                .points())
                .points(
                        FULL,
                        grid.with("via", Via.channelHeapView, Via.channelDirectView)
                                .with("sink", Sink.file, Sink.socket)
                                .with("size", 1 << 20)
                                .points())
                .points(
                        FULL,
                        grid.with("via", Via.channelStream)
                                .with("sink", files)
                                .with("size", 512, 8192, 1 << 20)
                                .points())
                .points(
                        ALL,
                        grid.with("via", (Object[]) Via.values())
                                .with("sink", (Object[]) Sink.values())
                                .with("size", 512, 2048, 8192, 32768, 131072, 1 << 20)
                                .points())
                .points(
                        ALL,
                        grid.with("via", Via.stream)
                                .with("sink", (Object[]) Sink.values())
                                .with("size", 4096, 8191, 8193, 16384, 65536, 131073, 1 << 18, 1 << 19)
                                .points())
                .build();
    }

    private static Optional<String> obstacle(Point point) {
        return point.get("sink").equals(Sink.devNull.name()) && !Files.isWritable(Outlet.DevNull.PATH)
                ? Optional.of("there is no " + Outlet.DevNull.PATH)
                : Optional.empty();
    }

    /** Opens the way. */
    @Setup(Level.Trial)
    public void open() throws IOException {
        byte[] content = Pattern.bytes(size);
        outlet = sink.open(content);
        writer = via.open(outlet, content);
    }

    /** Checks that all has arrived, and closes. */
    @TearDown(Level.Trial)
    public void close() throws IOException {
        try {
            outlet.finish();
        } finally {
            writer.close();
            outlet.close();
        }
    }

    /** One write. */
    @Benchmark
    public Writer write() throws IOException {
        writer.write();
        outlet.wrote();
        return writer;
    }

    /** Where bytes are written to. */
    public enum Sink {
        /** Nowhere: the best case. */
        devNull {
            @Override
            Outlet open(byte[] content) throws IOException {
                return new Outlet.DevNull(content.length);
            }
        },
        /** A file in memory. */
        file {
            @Override
            Outlet open(byte[] content) throws IOException {
                return new Outlet.Rewritten(content);
            }
        },
        /** A connection over the loopback. */
        socket {
            @Override
            Outlet open(byte[] content) throws IOException {
                return new Outlet.Connection(content);
            }
        };

        abstract Outlet open(byte[] content) throws IOException;
    }

    /** How bytes are written. */
    public enum Via {
        /** An array to the JDK's own stream. */
        stream {
            @Override
            Writer open(Outlet outlet, byte[] content) throws IOException {
                return new Writer.ArrayToStream(outlet.stream(), content);
            }
        },
        /** An array to a stream over a channel. */
        channelStream {
            @Override
            Writer open(Outlet outlet, byte[] content) throws IOException {
                return new Writer.ArrayToStream(Channels.newOutputStream(outlet.channel()), content);
            }
        },
        /** An array copied into a direct buffer, and that to a channel. */
        staged {
            @Override
            Writer open(Outlet outlet, byte[] content) throws IOException {
                return new Writer.Staged(outlet.channel(), content);
            }
        },
        /** An array to the library's own staged stream, flushed each time. */
        pooledStream {
            @Override
            Writer open(Outlet outlet, byte[] content) throws IOException {
                return new Writer.ThroughPool(outlet.channel(), content);
            }
        },
        /** A heap buffer to a channel. */
        channelHeap {
            @Override
            Writer open(Outlet outlet, byte[] content) throws IOException {
                return new Writer.BufferToChannel(BufferKind.heap, outlet.channel(), content);
            }
        },
        /** A direct buffer to a channel. */
        channelDirect {
            @Override
            Writer open(Outlet outlet, byte[] content) throws IOException {
                return new Writer.BufferToChannel(BufferKind.direct, outlet.channel(), content);
            }
        },
        /** A view of a large heap buffer to a channel. */
        channelHeapView {
            @Override
            Writer open(Outlet outlet, byte[] content) throws IOException {
                return new Writer.BufferToChannel(BufferKind.heapView, outlet.channel(), content);
            }
        },
        /** A view of a large direct buffer to a channel. */
        channelDirectView {
            @Override
            Writer open(Outlet outlet, byte[] content) throws IOException {
                return new Writer.BufferToChannel(BufferKind.directView, outlet.channel(), content);
            }
        };

        abstract Writer open(Outlet outlet, byte[] content) throws IOException;
    }
}
