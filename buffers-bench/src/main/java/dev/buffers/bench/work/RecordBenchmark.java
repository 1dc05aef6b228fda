// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.work;

import dev.buffers.bench.pools.Timed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Param;

/** What does it cost to write and to read 64 records of a small format, element by element? */
public class RecordBenchmark extends Timed {
    @Param
    public BufferKind kind;

    /** How an element is reached. */
    @Param
    public Way by;

    @Param
    public Op op;

    @Param
    public Shape shape;

    private Records records;
    private BufferKind.Held held;
    private RecordCodec codec;
    private long expected;

    /** Into the buffer, or out of it. */
    public enum Op {
        write,
        read
    }

    /** How an element is reached. */
    public enum Way {
        /** {@code putInt(int)} and its like; in an array by shifts. */
        plain,
        /** {@code byteArrayViewVarHandle} and {@code byteBufferViewVarHandle}. */
        varHandle
    }

    /** Makes the buffer; the records to be read are in it already. */
    @Override
    public void open() throws IOException {
        records = new Records(1);
        expected = op == Op.write ? records.serialised.length : records.sum;
        held = kind.hold(records.serialised.length);
        ByteBuffer buffer = held.buffer();
        if (kind == BufferKind.byteArray) {
            codec = by == Way.plain
                    ? new RecordCodec.HandPacked(buffer.array())
                    : new RecordCodec.ArrayViews(buffer.array());
        } else {
            codec = by == Way.plain ? new RecordCodec.Relative(buffer) : new RecordCodec.BufferViews(buffer);
        }
        if (op == Op.read) {
            buffer.put(0, records.serialised);
        }
    }

    /** Checks that the buffer holds what the JDK's own stream would have written. */
    @Override
    public void close() {
        byte[] found = new byte[records.serialised.length];
        held.buffer().get(0, found);
        if (!Arrays.equals(found, records.serialised)) {
            throw new IllegalStateException("not the records: mismatch=" + Arrays.mismatch(found, records.serialised));
        }
        held.end().run();
    }

    /** All records once. */
    @Benchmark
    public long records() {
        long found = shape == Shape.inlined ? once(codec) : called(codec);
        if (found != expected) {
            throw new IllegalStateException("not the records: found=" + found + ", expected=" + expected);
        }
        return found;
    }

    /** Never inlined. */
    @CompilerControl(CompilerControl.Mode.DONT_INLINE)
    public long called(RecordCodec through) {
        return once(through);
    }

    private long once(RecordCodec through) {
        return op == Op.write ? through.write(records) : through.read();
    }
}
