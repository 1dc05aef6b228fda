package dev.buffers.bench.claims.kinds;

import static dev.buffers.bench.claims.Depth.ALL;
import static dev.buffers.bench.claims.Depth.FULL;
import static dev.buffers.bench.claims.Depth.QUICK;

import dev.buffers.bench.claims.JmhExperiment;
import dev.buffers.bench.claims.Point;
import dev.buffers.bench.claims.Point.Grid;
import java.nio.ByteBuffer;
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
 * What does it cost to fill a buffer element by element? The value of each element follows from its index, so that no fill can
 * be made a {@code memset}; ints are written in big-endian order, the default of every buffer, and packed by hand into an
 * array.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(5)
@State(Scope.Thread)
public class FillLane {
    private static final String ID = "fill";

    /** What is filled. */
    @Param
    @SuppressWarnings("NullAway.Init") // JMH sets it
    public BufferKind kind;

    /** How. */
    @Param
    @SuppressWarnings("NullAway.Init") // JMH sets it
    public Op op;

    /** Bytes. */
    @Param({"512", "65536"})
    public int size;

    @SuppressWarnings("NullAway.Init") // hold() sets it
    private HeldBuffer held;

    @SuppressWarnings("NullAway.Init") // hold() sets it
    ByteBuffer buffer;

    private int seed;

    static Point point(BufferKind kind, Op op, int size) {
        return Point.of(ID, "kind", kind, "op", op, "size", size);
    }

    static JmhExperiment experiment() {
        Grid grid = Grid.of(ID);
        return JmhExperiment.of(ID, FillLane.class, "fill")
                .question("What does it cost to fill a buffer element by element?")
                .axes("size", "kind", "op")
                .iterations(4, 3, 50)
                .points(
                        QUICK,
                        List.of(
                                point(BufferKind.byteArray, Op.absoluteByte, 65536),
                                point(BufferKind.heap, Op.relativeByte, 65536),
                                point(BufferKind.direct, Op.relativeByte, 65536)))
                .points(
                        FULL,
                        grid.with("kind", BufferKind.heap, BufferKind.direct)
                                .with("op", (Object[]) Op.values())
                                .with("size", 512, 65536)
                                .points())
                .points(
                        FULL,
                        grid.with("kind", BufferKind.byteArray)
                                .with("op", Op.absoluteByte, Op.absoluteInt)
                                .with("size", 512, 65536)
                                .points())
                .points(
                        FULL,
                        grid.with("kind", BufferKind.heapView, BufferKind.directView)
                                .with("op", (Object[]) Op.values())
                                .with("size", 65536)
                                .points())
                .points(
                        ALL,
                        grid.with("kind", (Object[]) BufferKind.values())
                                .with("op", (Object[]) Op.values())
                                .with("size", 512, 2048, 8192, 16384, 65536)
                                .points())
                .build();
    }

    /** Makes the buffer. */
    @Setup(Level.Trial)
    public void hold() {
        held = kind.hold(size);
        buffer = held.buffer();
    }

    /** Checks what the last fill has left. */
    @TearDown(Level.Trial)
    public void check() {
        for (int i = 0; i < size; i++) {
            byte expected = op.expected(i, seed);
            if (buffer.get(i) != expected) {
                throw new IllegalStateException(
                        "filled wrongly: index=" + i + ", found=" + buffer.get(i) + ", expected=" + expected);
            }
        }
        held.close();
    }

    /** One fill. */
    @Benchmark
    public ByteBuffer fill() {
        seed++;
        if (kind == BufferKind.byteArray) {
            op.fill(buffer.array(), seed);
        } else {
            op.fill(buffer, size, seed);
        }
        return buffer;
    }

    /** How a buffer is filled; an array knows no difference between relative and absolute. */
    public enum Op {
        /** {@code put(byte)}. */
        relativeByte(false) {
            @Override
            void fill(ByteBuffer buffer, int size, int seed) {
                buffer.rewind();
                for (int i = 0; i < size; i++) {
                    buffer.put((byte) (seed + i));
                }
            }
        },
        /** {@code put(int, byte)}. */
        absoluteByte(false) {
            @Override
            void fill(ByteBuffer buffer, int size, int seed) {
                for (int i = 0; i < size; i++) {
                    buffer.put(i, (byte) (seed + i));
                }
            }
        },
        /** {@code putInt(int)}. */
        relativeInt(true) {
            @Override
            void fill(ByteBuffer buffer, int size, int seed) {
                buffer.rewind();
                for (int i = 0; i < size; i += Integer.BYTES) {
                    buffer.putInt(seed + i);
                }
            }
        },
        /** {@code putInt(int, int)}. */
        absoluteInt(true) {
            @Override
            void fill(ByteBuffer buffer, int size, int seed) {
                for (int i = 0; i < size; i += Integer.BYTES) {
                    buffer.putInt(i, seed + i);
                }
            }
        };

        private final boolean ints;

        Op(boolean ints) {
            this.ints = ints;
        }

        abstract void fill(ByteBuffer buffer, int size, int seed);

        void fill(byte[] array, int seed) {
            if (ints) {
                for (int i = 0; i < array.length; i += Integer.BYTES) {
                    Packing.putIntBig(array, i, seed + i);
                }
            } else {
                for (int i = 0; i < array.length; i++) {
                    array[i] = (byte) (seed + i);
                }
            }
        }

        /** What stands for this where an array is filled. */
        Op ofArray() {
            return ints ? absoluteInt : absoluteByte;
        }

        byte expected(int index, int seed) {
            return (byte) (ints ? seed + (index & -4) >>> 24 - 8 * (index & 3) : seed + index);
        }
    }
}
