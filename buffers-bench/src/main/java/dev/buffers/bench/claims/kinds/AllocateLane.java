package dev.buffers.bench.claims.kinds;

import static dev.buffers.bench.claims.Depth.ALL;
import static dev.buffers.bench.claims.Depth.FULL;
import static dev.buffers.bench.claims.Depth.QUICK;

import dev.buffers.bench.claims.JmhExperiment;
import dev.buffers.bench.claims.Point;
import dev.buffers.bench.claims.Point.Grid;
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
import org.openjdk.jmh.infra.Blackhole;

/**
 * What does it cost to have a buffer, and to give it up again, each time? One byte is touched. Plain buffers leave the method,
 * as they would on their way to a channel, and are left to the collector; the limits below let it run several times within a
 * fork, and so count what it does for direct memory. {@code directFreed} frees that at once, as frameworks do behind the JDK's
 * back.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(5)
@State(Scope.Thread)
public class AllocateLane {
    /** For whoever allocates each time: a collector that is at work, with memory to spare. */
    static final String[] JVM_ARGUMENTS = {"-Xms512m", "-Xmx512m", "-Xmn64m", "-XX:MaxDirectMemorySize=256m"};

    private static final String ID = "allocate";

    /** Where the buffer comes from. */
    @Param
    @SuppressWarnings("NullAway.Init") // JMH sets it
    public Source source;

    /** Bytes. */
    @Param({"64", "4096", "65536"})
    public int size;

    @SuppressWarnings("NullAway.Init") // open() sets it
    private Allocator allocator;

    static Point point(Source source, int size) {
        return Point.of(ID, "source", source, "size", size);
    }

    static JmhExperiment experiment() {
        Grid grid = Grid.of(ID);
        return JmhExperiment.of(ID, AllocateLane.class, "cycle")
                .question("What does it cost to allocate and free a buffer each time, and what with a pool?")
                .axes("size", "source")
                .iterations(3, 4, 70)
                .jvmArguments(JVM_ARGUMENTS)
                .points(QUICK, List.of(point(Source.heap, 4096), point(Source.direct, 4096)))
                .points(
                        FULL,
                        grid.with("source", Source.heap, Source.direct, Source.directFreed)
                                .with("size", 64, 4096, 65536)
                                .points())
                .points(
                        FULL,
                        grid.with("source", (Object[]) Source.values())
                                .with("size", 4096)
                                .points())
                .points(
                        ALL,
                        grid.with("source", (Object[]) Source.values())
                                .with("size", 64, 256, 1024, 4096, 16384, 65536)
                                .points())
                .build();
    }

    /** Opens a pool where there is one. */
    @Setup(Level.Trial)
    public void open() {
        allocator = source.open();
    }

    /** Checks that nothing is left. */
    @TearDown(Level.Trial)
    public void close() {
        allocator.close();
    }

    /** One buffer. */
    @Benchmark
    public void cycle(Blackhole hole) {
        allocator.cycle(size, hole);
    }

    /** Where a buffer comes from. */
    public enum Source {
        /** {@code ByteBuffer.allocate}. */
        heap {
            @Override
            Allocator open() {
                return new Allocator.Plain(false);
            }
        },
        /** {@code ByteBuffer.allocateDirect}. */
        direct {
            @Override
            Allocator open() {
                return new Allocator.Plain(true);
            }
        },
        /** The same, freed at once. */
        directFreed {
            @Override
            Allocator open() {
                return new Allocator.Freed();
            }
        },
        /** This library with {@code policy=heap}. */
        poolHeap {
            @Override
            Allocator open() {
                return new Allocator.Pooled("heap");
            }
        },
        /** This library with {@code policy=direct}. */
        poolDirect {
            @Override
            Allocator open() {
                return new Allocator.Pooled("direct");
            }
        },
        /** This library with {@code policy=heap-view}. */
        poolHeapView {
            @Override
            Allocator open() {
                return new Allocator.Pooled("heap-view");
            }
        },
        /** This library with {@code policy=direct-view}. */
        poolDirectView {
            @Override
            Allocator open() {
                return new Allocator.Pooled("direct-view");
            }
        },
        /** This library with {@code policy=unpooled}. */
        poolUnpooled {
            @Override
            Allocator open() {
                return new Allocator.Pooled("unpooled");
            }
        };

        abstract Allocator open();
    }
}
