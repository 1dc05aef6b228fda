package dev.buffers.bench.claims.kinds;

import static dev.buffers.bench.claims.Depth.ALL;
import static dev.buffers.bench.claims.Depth.FULL;
import static dev.buffers.bench.claims.Depth.QUICK;

import dev.buffers.bench.claims.JmhExperiment;
import dev.buffers.bench.claims.Point;
import dev.buffers.bench.claims.Point.Grid;
import java.nio.ByteBuffer;
import java.util.Arrays;
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

/** What does it cost to write and to read 64 records of a small format, element by element? */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(5)
@State(Scope.Thread)
public class RecordLane {
    private static final String ID = "record";

    private final Records records = new Records(1);
    private final byte[] serialised = records.serialised();
    private final long sum = records.sum();

    /** Where they are. */
    @Param
    @SuppressWarnings("NullAway.Init") // JMH sets it
    public BufferKind kind;

    /** How an element is reached: {@code relative} is for buffers, {@code handPacked} for arrays. */
    @Param
    @SuppressWarnings("NullAway.Init") // JMH sets it
    public Way way;

    /** Which of the two. */
    @Param
    @SuppressWarnings("NullAway.Init") // JMH sets it
    public Op op;

    @SuppressWarnings("NullAway.Init") // hold() sets it
    private HeldBuffer held;

    @SuppressWarnings("NullAway.Init") // hold() sets it
    ByteBuffer buffer;

    @SuppressWarnings("NullAway.Init") // hold() sets it
    private RecordCodec codec;

    static Point point(BufferKind kind, Way way, Op op) {
        return Point.of(ID, "kind", kind, "way", way, "op", op);
    }

    static JmhExperiment experiment() {
        Grid grid = Grid.of(ID);
        return JmhExperiment.of(ID, RecordLane.class, "records")
                .question("What does it cost to write and to read 64 small records, element by element?")
                .axes("kind", "way", "op")
                .iterations(4, 3, 50)
                .points(
                        QUICK,
                        List.of(
                                point(BufferKind.byteArray, Way.handPacked, Op.write),
                                point(BufferKind.direct, Way.relative, Op.write)))
                .points(
                        FULL,
                        grid.with(
                                        "kind",
                                        BufferKind.heap,
                                        BufferKind.direct,
                                        BufferKind.heapView,
                                        BufferKind.directView)
                                .with("way", Way.relative)
                                .with("op", (Object[]) Op.values())
                                .points())
                .points(
                        FULL,
                        grid.with("kind", BufferKind.heap, BufferKind.direct)
                                .with("way", Way.varHandle)
                                .with("op", (Object[]) Op.values())
                                .points())
                .points(
                        FULL,
                        grid.with("kind", BufferKind.byteArray)
                                .with("way", Way.handPacked, Way.varHandle)
                                .with("op", (Object[]) Op.values())
                                .points())
                .points(
                        ALL,
                        grid.with("kind", BufferKind.heapView, BufferKind.directView)
                                .with("way", Way.varHandle)
                                .with("op", (Object[]) Op.values())
                                .points())
                .build();
    }

    /** Makes the buffer; what is to be read is in it already. */
    @Setup(Level.Trial)
    public void hold() {
        held = kind.hold(serialised.length);
        buffer = held.buffer();
        codec = kind == BufferKind.byteArray ? way.of(buffer.array()) : way.of(buffer);
        if (op == Op.read) {
            buffer.put(0, serialised);
        }
    }

    /** Checks that the buffer holds what the JDK's own stream would have written. */
    @TearDown(Level.Trial)
    public void check() {
        byte[] found = new byte[serialised.length];
        buffer.get(0, found);
        if (!Arrays.equals(found, serialised)) {
            throw new IllegalStateException("not the records: mismatch=" + Arrays.mismatch(found, serialised));
        }
        held.close();
    }

    /** All records once. */
    @Benchmark
    public long records() {
        long found = op == Op.write ? codec.write(records) : codec.read();
        long expected = op == Op.write ? serialised.length : sum;
        if (found != expected) {
            throw new IllegalStateException("not the records: found=" + found + ", expected=" + expected);
        }
        return found;
    }

    /** Which way the elements go. */
    public enum Op {
        /** Into the buffer. */
        write,
        /** Out of it. */
        read
    }

    /** How an element is reached. */
    public enum Way {
        /** {@code putInt(int)} and its like. */
        relative {
            @Override
            RecordCodec of(ByteBuffer buffer) {
                return new RecordCodec.Relative(buffer);
            }
        },
        /** Shifts. */
        handPacked {
            @Override
            RecordCodec of(byte[] array) {
                return new RecordCodec.HandPacked(array);
            }
        },
        /** {@code byteArrayViewVarHandle} and {@code byteBufferViewVarHandle}. */
        varHandle {
            @Override
            RecordCodec of(ByteBuffer buffer) {
                return new RecordCodec.BufferViews(buffer);
            }

            @Override
            RecordCodec of(byte[] array) {
                return new RecordCodec.ArrayViews(array);
            }
        };

        RecordCodec of(ByteBuffer buffer) {
            throw new IllegalArgumentException("not for buffers: way=" + this);
        }

        RecordCodec of(byte[] array) {
            throw new IllegalArgumentException("not for arrays: way=" + this);
        }
    }
}
