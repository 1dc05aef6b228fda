package dev.buffers.bench.work;

import dev.buffers.bench.lanes.Timed;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** What does it cost to write and to read 64 records of a small format, element by element? */
@State(Scope.Thread)
@SuppressWarnings("NullAway.Init") // JMH sets the parameters and calls the set-up
public class RecordLane extends Timed {
    private final Records records = new Records(1);
    private final byte[] serialised = records.serialised();
    private final long sum = records.sum();

    /** Where they are. */
    @Param
    public BufferKind kind;

    /** How an element is reached. */
    @Param
    public Way by;

    /** Which of the two. */
    @Param
    public Op op;

    /** How the caller is compiled. */
    @Param
    public Shape shape;

    private HeldBuffer held;

    ByteBuffer buffer;

    private RecordCodec codec;

    /** Which way the elements go. */
    public enum Op {
        /** Into the buffer. */
        write,
        /** Out of it. */
        read
    }

    /** How an element is reached. */
    public enum Way {
        /** {@code putInt(int)} and its like; in an array by shifts. */
        plain,
        /** {@code byteArrayViewVarHandle} and {@code byteBufferViewVarHandle}. */
        varHandle
    }

    /** Makes the buffer; what is to be read is in it already. */
    @Setup(Level.Trial)
    public void hold() {
        held = kind.hold(serialised.length);
        buffer = held.buffer();
        if (kind == BufferKind.byteArray) {
            codec = by == Way.plain
                    ? new RecordCodec.HandPacked(buffer.array())
                    : new RecordCodec.ArrayViews(buffer.array());
        } else {
            codec = by == Way.plain ? new RecordCodec.Relative(buffer) : new RecordCodec.BufferViews(buffer);
        }
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
        long found = shape == Shape.inlined ? once(codec) : called(codec);
        long expected = op == Op.write ? serialised.length : sum;
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
