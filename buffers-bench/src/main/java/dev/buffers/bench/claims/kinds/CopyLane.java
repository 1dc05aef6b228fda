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

/**
 * What does it cost to copy an array into a buffer, and a buffer into an array, whole? An array takes {@code System.arraycopy}.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(5)
@State(Scope.Thread)
public class CopyLane {
    private static final String ID = "copy";

    /** The array's other side. */
    @Param
    @SuppressWarnings("NullAway.Init") // JMH sets it
    public BufferKind kind;

    /** In which direction. */
    @Param
    @SuppressWarnings("NullAway.Init") // JMH sets it
    public Op op;

    /** Bytes. */
    @Param({"16", "1024", "65536"})
    public int size;

    @SuppressWarnings("NullAway.Init") // hold() sets it
    private HeldBuffer held;

    @SuppressWarnings("NullAway.Init") // hold() sets it
    ByteBuffer buffer;

    @SuppressWarnings("NullAway.Init") // hold() sets it
    private byte[] array;

    static Point point(BufferKind kind, Op op, int size) {
        return Point.of(ID, "kind", kind, "op", op, "size", size);
    }

    static JmhExperiment experiment() {
        Grid grid = Grid.of(ID);
        return JmhExperiment.of(ID, CopyLane.class, "copy")
                .question("What does it cost to copy an array into a buffer, and a buffer into an array?")
                .axes("size", "kind", "op")
                .iterations(4, 3, 50)
                .points(QUICK, List.of(point(BufferKind.heap, Op.put, 1024), point(BufferKind.direct, Op.put, 1024)))
                .points(
                        FULL,
                        grid.with("kind", BufferKind.heap, BufferKind.direct)
                                .with("op", Op.put, Op.get)
                                .with("size", 16, 1024, 65536)
                                .points())
                .points(
                        FULL,
                        grid.with("kind", BufferKind.heapView, BufferKind.directView)
                                .with("op", Op.put)
                                .with("size", 1024)
                                .points())
                .points(
                        ALL,
                        grid.with("kind", (Object[]) BufferKind.values())
                                .with("op", Op.put, Op.get)
                                .with("size", 4, 8, 16, 64, 256, 1024, 4096, 16384, 65536)
                                .points())
                .build();
    }

    /** Makes both sides, and fills the one that is copied from. */
    @Setup(Level.Trial)
    public void hold() {
        held = kind.hold(size);
        buffer = held.buffer();
        array = new byte[size];
        for (int i = 0; i < size; i++) {
            byte value = (byte) (i * 31 + 7);
            if (op == Op.put) {
                array[i] = value;
            } else {
                buffer.put(i, value);
            }
        }
    }

    /** Checks that both sides hold the same, and not nothing. */
    @TearDown(Level.Trial)
    public void check() {
        byte[] copy = new byte[size];
        buffer.get(0, copy);
        if (!Arrays.equals(copy, array) || array[0] != 7) {
            throw new IllegalStateException("copied wrongly: mismatch=" + Arrays.mismatch(copy, array));
        }
        held.close();
    }

    /** One copy. */
    @Benchmark
    public byte[] copy() {
        if (kind == BufferKind.byteArray) {
            op.copy(buffer.array(), array);
        } else {
            op.copy(buffer, array);
        }
        return array;
    }

    /** Which way. */
    public enum Op {
        /** From the array. */
        put {
            @Override
            void copy(ByteBuffer buffer, byte[] array) {
                buffer.rewind().put(array);
            }

            @Override
            void copy(byte[] other, byte[] array) {
                System.arraycopy(array, 0, other, 0, array.length);
            }
        },
        /** Into the array. */
        get {
            @Override
            void copy(ByteBuffer buffer, byte[] array) {
                buffer.rewind().get(array);
            }

            @Override
            void copy(byte[] other, byte[] array) {
                System.arraycopy(other, 0, array, 0, array.length);
            }
        };

        abstract void copy(ByteBuffer buffer, byte[] array);

        abstract void copy(byte[] other, byte[] array);
    }
}
