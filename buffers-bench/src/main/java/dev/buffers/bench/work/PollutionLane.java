package dev.buffers.bench.work;

import dev.buffers.bench.lanes.Timed;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * What does a call site cost that has seen other classes of buffers? The set-up runs the measured kind and none, one, two or
 * three others through the same method, often enough that the compiler takes all of them into account; then only one of them
 * goes on. Heap and direct buffers and the read-only views of both are the four classes there are, so the method reads.
 */
@State(Scope.Thread)
@SuppressWarnings("NullAway.Init") // JMH sets the parameters and calls the set-up
public class PollutionLane extends Timed {
    static final int SIZE = 1024;

    private static final int ROUNDS = 10_000;

    /** What is measured. */
    @Param({"heap", "direct"})
    public BufferKind kind;

    /** How many other classes went before. */
    @Param({"0", "1", "2", "3"})
    public int others;

    /** How the buffer is read. */
    @Param
    public Op op;

    private final byte[] into = new byte[SIZE];
    private final ByteBuffer heap = filled(ByteBuffer.allocate(SIZE));
    private final ByteBuffer direct = filled(ByteBuffer.allocateDirect(SIZE));

    ByteBuffer buffer;

    private static ByteBuffer filled(ByteBuffer buffer) {
        for (int i = 0; i < SIZE; i++) {
            buffer.put(i, valueAt(i));
        }
        return buffer;
    }

    private static byte valueAt(int index) {
        return (byte) (index * 31 + 7);
    }

    /** Runs the kinds through the method in turn. */
    @Setup(Level.Trial)
    public void pollute() {
        buffer = kind == BufferKind.heap ? heap : direct;
        List<ByteBuffer> all = Stream.concat(
                        Stream.of(buffer),
                        Stream.of(heap, direct, heap.asReadOnlyBuffer(), direct.asReadOnlyBuffer())
                                .filter(other -> other != buffer)
                                .limit(others))
                .toList();
        for (int round = 0; round < ROUNDS; round++) {
            for (ByteBuffer each : all) {
                check(op.read(each, into));
            }
        }
    }

    /** One reading of the whole buffer. */
    @Benchmark
    public int read() {
        int found = op.read(buffer, into);
        check(found);
        return found;
    }

    private void check(int found) {
        if (found != op.expected) {
            throw new IllegalStateException("read wrongly: found=" + found + ", expected=" + op.expected);
        }
    }

    /** How a buffer is read. */
    public enum Op {
        /** Byte by byte: their sum. */
        elements(IntStream.range(0, SIZE).map(PollutionLane::valueAt).sum()) {
            @Override
            int read(ByteBuffer buffer, byte[] into) {
                return sum(buffer);
            }
        },
        /** All at once into an array: the last byte. */
        bulk(valueAt(SIZE - 1)) {
            @Override
            int read(ByteBuffer buffer, byte[] into) {
                into[SIZE - 1] = 0;
                copy(buffer, into);
                return into[SIZE - 1];
            }
        };

        private final int expected;

        Op(int expected) {
            this.expected = expected;
        }

        abstract int read(ByteBuffer buffer, byte[] into);
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
