// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.work;

import dev.buffers.bench.pools.Timed;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Param;

/**
 * What does a call site cost that has seen other classes of buffers? The set-up runs the measured kind and none, one, two or
 * three others through the same method, often enough that the compiler takes all of them into account; then only one of them
 * goes on. Heap and direct buffers and the read-only views of both are the four classes there are, so the method reads.
 */
public class PollutionBenchmark extends Timed {
    private static final int SIZE = 1024;
    private static final int ROUNDS = 10_000;

    @Param({"heap", "direct"})
    public BufferKind kind;

    /** How many other classes went before. */
    @Param({"0", "1", "2", "3"})
    public int others;

    @Param
    public Op op;

    private final byte[] content = Pattern.bytes(SIZE);
    private final byte[] into = new byte[SIZE];
    private ByteBuffer buffer;
    private int expected;

    /** How a buffer is read. */
    public enum Op {
        /** Byte by byte: their sum. */
        elements,
        /** All at once into an array: the last byte. */
        bulk
    }

    /** Runs the kinds through the method in turn. */
    @Override
    public void open() {
        expected = op == Op.elements
                ? IntStream.range(0, SIZE).map(i -> content[i]).sum()
                : content[SIZE - 1];
        ByteBuffer heap = ByteBuffer.allocate(SIZE).put(0, content);
        ByteBuffer direct = ByteBuffer.allocateDirect(SIZE).put(0, content);
        buffer = kind == BufferKind.heap ? heap : direct;
        List<ByteBuffer> all = Stream.concat(
                        Stream.of(buffer),
                        Stream.of(heap, direct, heap.asReadOnlyBuffer(), direct.asReadOnlyBuffer())
                                .filter(other -> other != buffer)
                                .limit(others))
                .toList();
        for (int round = 0; round < ROUNDS; round++) {
            all.forEach(this::readWhole);
        }
    }

    @Benchmark
    public int read() {
        return readWhole(buffer);
    }

    private int readWhole(ByteBuffer from) {
        int found = op == Op.elements ? sum(from) : last(from);
        if (found != expected) {
            throw new IllegalStateException("read wrongly: found=" + found + ", expected=" + expected);
        }
        return found;
    }

    private int last(ByteBuffer from) {
        into[SIZE - 1] = 0;
        copy(from, into);
        return into[SIZE - 1];
    }

    /** The shared code; never inlined, so that there is one of it. */
    @CompilerControl(CompilerControl.Mode.DONT_INLINE)
    public static int sum(ByteBuffer buffer) {
        int sum = 0;
        for (int i = 0; i < SIZE; i++) {
            sum += buffer.get(i);
        }
        return sum;
    }

    /** The same for a copy. */
    @CompilerControl(CompilerControl.Mode.DONT_INLINE)
    public static void copy(ByteBuffer buffer, byte[] into) {
        buffer.get(0, into);
    }
}
