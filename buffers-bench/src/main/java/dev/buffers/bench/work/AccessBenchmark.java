// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.work;

import dev.buffers.bench.pools.Timed;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Param;

/**
 * What does it cost to fill a buffer, element by element or from an array, and to empty it into one? The value of each element follows from
 * its index, so that no fill can be made a {@code memset}. The buffer's content at the end is checked byte by byte.
 */
public class AccessBenchmark extends Timed {
    @Param
    public BufferKind kind;

    @Param
    public Op op;

    /** In which order an int's bytes are put; big-endian is every buffer's default. */
    @Param({"big"})
    public Order order;

    @Param({"512", "65536"})
    public int size;

    @Param
    public Shape shape;

    private BufferKind.Held held;
    private ByteBuffer buffer;
    private byte[] array;
    private int seed;

    /** The operation; an array knows no difference between relative and absolute, and packs ints by hand. */
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
        get
    }

    /** Which byte of an int comes first: the highest or the lowest. */
    public enum Order {
        big,
        little
    }

    @Override
    public void open() {
        held = kind.hold(size);
        buffer = held.buffer().order(order == Order.big ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
        array = new byte[size];
        if (op == Op.put) {
            array = Pattern.bytes(size);
        } else if (op == Op.get) {
            buffer.put(0, Pattern.bytes(size));
        }
    }

    /** Checks what the last time has left. */
    @Override
    public void close() {
        for (int i = 0; i < size; i++) {
            byte found = op == Op.get ? array[i] : buffer.get(i);
            if (found != expected(i)) {
                throw new IllegalStateException(
                        "filled wrongly: index=" + i + ", found=" + found + ", expected=" + expected(i));
            }
        }
        held.end().run();
    }

    private byte expected(int index) {
        int shift = 8 * (order == Order.big ? 3 - (index & 3) : index & 3);
        return switch (op) {
            case put, get -> Pattern.at(index);
            case relativeByte, absoluteByte -> (byte) (seed + index);
            case relativeInt, absoluteInt, varHandle -> (byte) (seed + (index & -4) >>> shift);
        };
    }

    @Benchmark
    public Object access() {
        seed++;
        if (shape == Shape.inlined) {
            return kind == BufferKind.byteArray ? ofArray(buffer.array(), seed) : ofBuffer(buffer, seed);
        }
        return kind == BufferKind.byteArray ? calledOfArray(buffer.array(), seed) : calledOfBuffer(buffer, seed);
    }

    /** Never inlined; one for both kinds of argument makes another code of the loops. */
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
