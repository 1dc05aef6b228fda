package dev.buffers.bench.claims.kinds;

import static dev.buffers.bench.claims.Depth.ALL;
import static dev.buffers.bench.claims.Depth.FULL;
import static dev.buffers.bench.claims.Depth.QUICK;

import dev.buffers.bench.claims.JmhExperiment;
import dev.buffers.bench.claims.Point;
import dev.buffers.bench.claims.Point.Grid;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
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
 * What does the byte order of an int cost? A buffer is filled with ints in either order; arrays are packed by hand or through a
 * view.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(5)
@State(Scope.Thread)
public class OrderLane {
    private static final String ID = "order";

    /** What is filled. */
    @Param
    @SuppressWarnings("NullAway.Init") // JMH sets it
    public BufferKind kind;

    /** How: {@code handPacked} is for arrays only, {@code relative} and {@code absolute} for buffers. */
    @Param
    @SuppressWarnings("NullAway.Init") // JMH sets it
    public Way way;

    /** In which order. */
    @Param
    @SuppressWarnings("NullAway.Init") // JMH sets it
    public Order order;

    /** Bytes. */
    @Param("8192")
    public int size;

    @SuppressWarnings("NullAway.Init") // hold() sets it
    private HeldBuffer held;

    @SuppressWarnings("NullAway.Init") // hold() sets it
    ByteBuffer buffer;

    @SuppressWarnings("NullAway.Init") // hold() sets it
    private IntFill fill;

    private int seed;

    static Point point(BufferKind kind, Way way, Order order, int size) {
        return Point.of(ID, "kind", kind, "way", way, "order", order, "size", size);
    }

    static JmhExperiment experiment() {
        Grid grid = Grid.of(ID);
        return JmhExperiment.of(ID, OrderLane.class, "fill")
                .question("What does the byte order of an int cost?")
                .axes("kind", "order", "way", "size")
                .iterations(4, 3, 50)
                .obstacle(point -> ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN
                        ? Optional.empty()
                        : Optional.of("this machine is not little-endian"))
                .points(
                        QUICK,
                        List.of(
                                point(BufferKind.direct, Way.relative, Order.little, 8192),
                                point(BufferKind.direct, Way.relative, Order.big, 8192)))
                .points(
                        FULL,
                        both(
                                grid.with("kind", BufferKind.heap, BufferKind.direct)
                                        .with("way", Way.relative),
                                8192))
                .points(
                        FULL,
                        both(
                                grid.with(
                                                "kind",
                                                BufferKind.heap,
                                                BufferKind.direct,
                                                BufferKind.heapView,
                                                BufferKind.directView)
                                        .with("way", Way.absolute),
                                8192))
                .points(
                        FULL,
                        both(
                                grid.with("kind", BufferKind.heap, BufferKind.direct)
                                        .with("way", Way.varHandle),
                                8192))
                .points(
                        FULL,
                        both(grid.with("kind", BufferKind.byteArray).with("way", Way.handPacked, Way.varHandle), 8192))
                .points(
                        ALL,
                        both(
                                grid.with(
                                                "kind",
                                                BufferKind.heap,
                                                BufferKind.direct,
                                                BufferKind.heapView,
                                                BufferKind.directView)
                                        .with("way", Way.relative, Way.absolute, Way.varHandle),
                                512,
                                8192,
                                65536))
                .points(
                        ALL,
                        both(
                                grid.with("kind", BufferKind.byteArray).with("way", Way.handPacked, Way.varHandle),
                                512,
                                8192,
                                65536))
                .build();
    }

    private static List<Point> both(Grid grid, Object... sizes) {
        return grid.with("order", (Object[]) Order.values()).with("size", sizes).points();
    }

    /** Makes the buffer. */
    @Setup(Level.Trial)
    public void hold() {
        held = kind.hold(size);
        buffer = held.buffer();
        fill = kind == BufferKind.byteArray ? way.of(buffer.array(), order) : way.of(buffer, size, order);
    }

    /** Checks what the last fill has left, byte by byte. */
    @TearDown(Level.Trial)
    public void check() {
        for (int i = 0; i < size; i++) {
            byte expected = (byte) (seed + (i & -4) >>> 8 * (order == Order.big ? 3 - (i & 3) : i & 3));
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
        fill.fill(++seed);
        return buffer;
    }

    /** A byte order. */
    public enum Order {
        /** The highest byte first: what a buffer has unless told. */
        big(ByteOrder.BIG_ENDIAN),
        /** The lowest byte first. */
        little(ByteOrder.LITTLE_ENDIAN);

        private final ByteOrder order;

        Order(ByteOrder order) {
            this.order = order;
        }
    }

    /** How an int is put where it belongs. */
    public enum Way {
        /** {@code putInt(int)}. */
        relative {
            @Override
            IntFill of(ByteBuffer buffer, int size, Order order) {
                buffer.order(order.order);
                return seed -> {
                    buffer.rewind();
                    for (int i = 0; i < size; i += Integer.BYTES) {
                        buffer.putInt(seed + i);
                    }
                };
            }
        },
        /** {@code putInt(int, int)}. */
        absolute {
            @Override
            IntFill of(ByteBuffer buffer, int size, Order order) {
                buffer.order(order.order);
                return seed -> {
                    for (int i = 0; i < size; i += Integer.BYTES) {
                        buffer.putInt(i, seed + i);
                    }
                };
            }
        },
        /** Shifts. */
        handPacked {
            @Override
            IntFill of(byte[] array, Order order) {
                return order == Order.big
                        ? seed -> {
                            for (int i = 0; i < array.length; i += Integer.BYTES) {
                                Packing.putIntBig(array, i, seed + i);
                            }
                        }
                        : seed -> {
                            for (int i = 0; i < array.length; i += Integer.BYTES) {
                                Packing.putIntLittle(array, i, seed + i);
                            }
                        };
            }
        },
        /** {@code byteArrayViewVarHandle} and {@code byteBufferViewVarHandle}. */
        varHandle {
            @Override
            IntFill of(ByteBuffer buffer, int size, Order order) {
                return order == Order.big
                        ? seed -> {
                            for (int i = 0; i < size; i += Integer.BYTES) {
                                Packing.BUFFER_INT_BIG.set(buffer, i, seed + i);
                            }
                        }
                        : seed -> {
                            for (int i = 0; i < size; i += Integer.BYTES) {
                                Packing.BUFFER_INT_LITTLE.set(buffer, i, seed + i);
                            }
                        };
            }

            @Override
            IntFill of(byte[] array, Order order) {
                return order == Order.big
                        ? seed -> {
                            for (int i = 0; i < array.length; i += Integer.BYTES) {
                                Packing.ARRAY_INT_BIG.set(array, i, seed + i);
                            }
                        }
                        : seed -> {
                            for (int i = 0; i < array.length; i += Integer.BYTES) {
                                Packing.ARRAY_INT_LITTLE.set(array, i, seed + i);
                            }
                        };
            }
        };

        IntFill of(ByteBuffer buffer, int size, Order order) {
            throw new IllegalArgumentException("not for buffers: way=" + this);
        }

        IntFill of(byte[] array, Order order) {
            throw new IllegalArgumentException("not for arrays: way=" + this);
        }
    }

    /** Fills what it was made for with ints that follow from a seed. */
    interface IntFill {
        void fill(int seed);
    }
}
