package dev.buffers.bench.advise;

import dev.buffers.PooledBuffer;
import dev.buffers.bench.claims.transfer.RandomFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How long does a file of 256 KiB take from the page cache through a buffer of the pool to a connection? The other end takes it with a
 * direct buffer of its own; how many bytes arrive is checked each time, and what they are once an iteration.
 *
 * <p>{@code java -jar buffers-bench/target/buffers-bench.jar jmh FileTransferUse}
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(5)
@SuppressWarnings("NullAway.Init") // JMH sets the parameters and calls the set-up
public class FileTransferUse extends PoolInUse {
    private static final int FILE = 256 << 10;

    /** Of the buffer, in bytes. */
    @Param("65536")
    public int size;

    RandomFile file;
    private FileChannel source;
    private Loopback loopback;
    private ByteBuffer taken;
    private @Nullable CRC32 sum;

    @Setup(Level.Trial)
    public void connect() throws IOException {
        file = new RandomFile(FILE);
        source = FileChannel.open(file.path());
        loopback = Loopback.open();
        taken = ByteBuffer.allocateDirect(size);
    }

    /** Sends the file once. */
    @Benchmark
    public long send() throws IOException {
        source.position(0);
        long arrived = 0;
        try (PooledBuffer lease = pool.acquire(size)) {
            ByteBuffer buffer = lease.buffer();
            while (source.read(buffer.clear()) > 0) {
                buffer.flip();
                while (buffer.hasRemaining()) {
                    loopback.server().write(buffer);
                    arrived += take();
                }
            }
        }
        while (arrived < FILE) {
            arrived += take();
        }
        return arrived;
    }

    private int take() throws IOException {
        int read = loopback.client().read(taken.clear());
        if (read < 0) {
            throw new IllegalStateException("the connection has ended");
        }
        if (sum != null) {
            sum.update(taken.flip());
        }
        return read;
    }

    /** Sends the file once more, and looks at what arrives. */
    @TearDown(Level.Iteration)
    public void checkContent() throws IOException {
        sum = new CRC32();
        send();
        if (sum.getValue() != file.crc()) {
            throw new IllegalStateException("not what was sent has arrived: policy=" + policy);
        }
        sum = null;
    }

    @TearDown(Level.Trial)
    public void disconnect() throws IOException {
        loopback.close();
        source.close();
        file.close();
    }
}
