package dev.buffers.bench.advise;

import dev.buffers.PooledBuffer;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How long does it take to fill a buffer with small records, element by element, and to read them back, with a buffer acquired for
 * each time? What is read is checked.
 *
 * <p>{@code java -jar buffers-bench/target/buffers-bench.jar jmh CodecUse}
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(5)
public class CodecUse extends PoolInUse {
    /** A record: an id, a price, a quantity, a venue and four flags. */
    private static final int RECORD = Long.BYTES + Double.BYTES + Integer.BYTES + Short.BYTES + 4;

    /** Of the buffer, in bytes. */
    @Param("4096")
    public int size;

    private int first;

    /** Fills, reads back and checks a buffer. */
    @Benchmark
    public long fillAndRead() {
        first++;
        try (PooledBuffer lease = pool.acquire(size)) {
            ByteBuffer buffer = lease.buffer();
            int records = size / RECORD;
            for (int id = first; id < first + records; id++) {
                write(buffer, id);
            }
            buffer.flip();
            long sum = 0;
            while (buffer.hasRemaining()) {
                sum += read(buffer);
            }
            long wanted = sum(first, records);
            if (sum != wanted) {
                throw new IllegalStateException("not what was written: sum=" + sum + ", wanted=" + wanted);
            }
            return sum;
        }
    }

    private static void write(ByteBuffer buffer, int id) {
        buffer.putLong(id).putDouble(id).putInt(id).putShort((short) 3);
        buffer.put((byte) 1).put((byte) 1).put((byte) 1).put((byte) 1);
    }

    private static long read(ByteBuffer buffer) {
        long sum = buffer.getLong() + (long) buffer.getDouble() + buffer.getInt() + buffer.getShort();
        return sum + buffer.get() + buffer.get() + buffer.get() + buffer.get();
    }

    /** Three times each id, and 7 for the rest of each record. */
    private static long sum(long first, long records) {
        return 3 * (records * first + records * (records - 1) / 2) + 7 * records;
    }
}
