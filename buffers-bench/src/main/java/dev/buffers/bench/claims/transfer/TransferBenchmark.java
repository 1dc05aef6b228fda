package dev.buffers.bench.claims.transfer;

import java.io.ByteArrayOutputStream;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32;
import java.util.zip.CheckedOutputStream;
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
 * How many times a second does a file go into a {@code ByteArrayOutputStream}? As in the source, the file is opened and the array
 * begun outside the measured part; the array grows inside it. The length is checked each time, the content once an iteration.
 *
 * <p>{@code java -jar buffers-bench/target/buffers-bench.jar jmh TransferBenchmark -p way=loop -p buffer=8192,16384 -p size=1048576}
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 5,
        jvmArgsAppend = {"-Xms1g", "-Xmx1g"})
@State(Scope.Benchmark)
@SuppressWarnings("NullAway.Init") // JMH sets the parameters and calls the set-up
public class TransferBenchmark {
    static final String OVER_CHANNEL = "-channel";
    static final String OF_JDK = "transferTo";
    static final String BY_HAND = "loop";
    static final String POOLED = "transfers-";

    /** Who moves the bytes; with {@code -channel} the stream is {@code Files.newInputStream}'s, else a {@code FileInputStream}. */
    @Param({
        OF_JDK,
        OF_JDK + OVER_CHANNEL,
        BY_HAND,
        BY_HAND + OVER_CHANNEL,
        POOLED + "heap",
        POOLED + "heap-view",
        POOLED + "direct",
        POOLED + "direct-view"
    })
    public String way;

    /** In bytes, or {@code own} where it is not ours to choose. */
    @Param({StreamTransfer.OWN, "8192", "16384", "32768", "65536", "131072"})
    public String buffer;

    /** Of the file, in bytes. */
    @Param({"65536", "1048576", "67108864"})
    public int size;

    private RandomFile file;
    Mover mover;
    private InputStream in;
    private ByteArrayOutputStream out;

    @Setup(Level.Trial)
    public void make() throws IOException {
        file = new RandomFile(size);
        mover = mover(way, buffer);
    }

    static Mover mover(String way, String buffer) {
        if (way.startsWith(POOLED)) {
            return new PooledMover(way.substring(POOLED.length()), Integer.parseInt(buffer));
        }
        return way.startsWith(OF_JDK) ? InputStream::transferTo : new HandLoop(Integer.parseInt(buffer));
    }

    @Setup(Level.Invocation)
    public void open() throws IOException {
        in = open(file.path());
        out = new ByteArrayOutputStream();
    }

    private InputStream open(Path path) throws IOException {
        return way.endsWith(OVER_CHANNEL) ? Files.newInputStream(path) : new FileInputStream(path.toFile());
    }

    /** Moves the file. */
    @Benchmark
    public ByteArrayOutputStream transfer() throws IOException {
        mover.move(in, out);
        return out;
    }

    @TearDown(Level.Invocation)
    public void checkLength() throws IOException {
        in.close();
        if (out.size() != size) {
            throw new IllegalStateException("not all has arrived: bytes=" + out.size() + ", wanted=" + size);
        }
    }

    @TearDown(Level.Iteration)
    public void checkContent() throws IOException {
        CRC32 sum = new CRC32();
        out.writeTo(new CheckedOutputStream(OutputStream.nullOutputStream(), sum));
        if (sum.getValue() != file.crc()) {
            throw new IllegalStateException("not what was sent has arrived: way=" + way + ", buffer=" + buffer);
        }
    }

    @TearDown(Level.Trial)
    public void close() throws IOException {
        mover.close();
        file.close();
    }
}
