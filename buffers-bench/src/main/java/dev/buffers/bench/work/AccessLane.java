package dev.buffers.bench.work;

import dev.buffers.bench.lanes.Timed;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * What does it cost to fill a buffer, element by element or from an array, and to empty it into one? The value of each element follows from
 * its index, so that no fill can be made a {@code memset}. What is in the buffer at the end is checked byte by byte.
 */
@State(Scope.Thread)
@SuppressWarnings("NullAway.Init") // JMH sets the parameters and calls the set-up
public class AccessLane extends Timed {
    /** What is filled. */
    @Param
    public BufferKind kind;

    /** How. */
    @Param
    public Op op;

    /** In which order an int's bytes are put; big-endian is every buffer's default. */
    @Param({"big"})
    public Order order;

    /** Bytes. */
    @Param({"512", "65536"})
    public int size;

    /** How the caller is compiled. */
    @Param
    public Shape shape;

    private HeldBuffer held;

    ByteBuffer buffer;

    private byte[] array;
    private int seed;

    /** What is done; an array knows no difference between relative and absolute, and packs ints by hand. */
    public enum Op {
        relativeByte,
        absoluteByte,
        relativeInt,
        absoluteInt,
        /** {@code byteArrayViewVarHandle} and {@code byteBufferViewVarHandle}. */
        varHandle,
        /** {@code put(byte[])}, of an array {@code System.arraycopy}. */
        put,
        /** {@code get(byte[])}. */
        get;

        private boolean isCopy() {
            return this == put || this == get;
        }

        private boolean isBytes() {
            return this == relativeByte || this == absoluteByte;
        }
    }

    /** A byte order. */
    public enum Order {
        /** The highest byte first. */
        big(ByteOrder.BIG_ENDIAN),
        /** The lowest byte first. */
        little(ByteOrder.LITTLE_ENDIAN);

        private final ByteOrder order;

        Order(ByteOrder order) {
            this.order = order;
        }
    }

    /** Makes the buffer, and what is copied. */
    @Setup(Level.Trial)
    public void hold() {
        held = kind.hold(size);
        buffer = held.buffer().order(order.order);
        array = new byte[size];
        for (int i = 0; i < size; i++) {
            if (op == Op.put) {
                array[i] = Pattern.at(i + 1);
            } else if (op == Op.get) {
                buffer.put(i, Pattern.at(i + 1));
            }
        }
    }

    /** Checks what the last time has left. */
    @TearDown(Level.Trial)
    public void check() {
        for (int i = 0; i < size; i++) {
            byte found = op == Op.get ? array[i] : buffer.get(i);
            if (found != expected(i)) {
                throw new IllegalStateException(
                        "filled wrongly: index=" + i + ", found=" + found + ", expected=" + expected(i));
            }
        }
        held.close();
    }

    private byte expected(int index) {
        if (op.isCopy()) {
            return Pattern.at(index + 1);
        }
        int ofInt = 8 * (order == Order.big ? 3 - (index & 3) : index & 3);
        return (byte) (op.isBytes() ? seed + index : seed + (index & -4) >>> ofInt);
    }

    /** Once. */
    @Benchmark
    public Object access() {
        seed++;
        if (shape == Shape.inlined) {
            return kind == BufferKind.byteArray ? ofArray(buffer.array(), seed) : ofBuffer(buffer, seed);
        }
        return kind == BufferKind.byteArray ? calledOfArray(buffer.array(), seed) : calledOfBuffer(buffer, seed);
    }

    /** Never inlined. */
    @CompilerControl(CompilerControl.Mode.DONT_INLINE)
    public Object calledOfBuffer(ByteBuffer to, int from) {
        return ofBuffer(to, from);
    }

    /** Never inlined. */
    @CompilerControl(CompilerControl.Mode.DONT_INLINE)
    public Object calledOfArray(byte[] to, int from) {
        return ofArray(to, from);
    }

    private Object ofBuffer(ByteBuffer to, int from) {
        switch (op) {
            case relativeByte -> {
                to.rewind();
                for (int i = 0; i < size; i++) {
                    to.put((byte) (from + i));
                }
            }
            case absoluteByte -> {
                for (int i = 0; i < size; i++) {
                    to.put(i, (byte) (from + i));
                }
            }
            case relativeInt -> {
                to.rewind();
                for (int i = 0; i < size; i += Integer.BYTES) {
                    to.putInt(from + i);
                }
            }
            case absoluteInt -> {
                for (int i = 0; i < size; i += Integer.BYTES) {
                    to.putInt(i, from + i);
                }
            }
            case varHandle -> {
                if (order == Order.big) {
                    for (int i = 0; i < size; i += Integer.BYTES) {
                        Packing.BUFFER_INT_BIG.set(to, i, from + i);
                    }
                } else {
                    for (int i = 0; i < size; i += Integer.BYTES) {
                        Packing.BUFFER_INT_LITTLE.set(to, i, from + i);
                    }
                }
            }
            case put -> to.rewind().put(array);
            case get -> to.rewind().get(array);
        }
        return to;
    }

    private Object ofArray(byte[] to, int from) {
        switch (op) {
            case relativeByte, absoluteByte -> {
                for (int i = 0; i < to.length; i++) {
                    to[i] = (byte) (from + i);
                }
            }
            case relativeInt, absoluteInt -> {
                if (order == Order.big) {
                    for (int i = 0; i < to.length; i += Integer.BYTES) {
                        Packing.putIntBig(to, i, from + i);
                    }
                } else {
                    for (int i = 0; i < to.length; i += Integer.BYTES) {
                        Packing.putIntLittle(to, i, from + i);
                    }
                }
            }
            case varHandle -> {
                if (order == Order.big) {
                    for (int i = 0; i < to.length; i += Integer.BYTES) {
                        Packing.ARRAY_INT_BIG.set(to, i, from + i);
                    }
                } else {
                    for (int i = 0; i < to.length; i += Integer.BYTES) {
                        Packing.ARRAY_INT_LITTLE.set(to, i, from + i);
                    }
                }
            }
            case put -> System.arraycopy(array, 0, to, 0, to.length);
            case get -> System.arraycopy(to, 0, array, 0, to.length);
        }
        return to;
    }
}
