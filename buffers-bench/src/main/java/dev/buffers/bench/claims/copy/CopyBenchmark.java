package dev.buffers.bench.claims.copy;

import dev.buffers.bench.claims.transfer.RandomFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
 * How long does it take to copy a file of 37 MB? The file is in the page cache and its copy goes there too: nothing waits for a disk.
 * Each copy is a new file, compared byte for byte and deleted outside the measured part. A copy may well take longer than an
 * iteration, which then is that one copy.
 *
 * <p>{@code java -jar buffers-bench/target/buffers-bench.jar jmh CopyBenchmark -p way=direct -p buffer=2048,65536}
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(5)
@State(Scope.Benchmark)
@SuppressWarnings("NullAway.Init") // JMH sets the parameters and calls the set-up
public class CopyBenchmark {
    static final String BYTES = "bytes";
    static final String ARRAYS = "arrays";
    static final String TRANSFER_TO = "transferTo";
    static final String FILES_COPY = "Files.copy";
    static final String TRANSFERS = "Transfers";

    /** Streams by bytes or by arrays, a pool's policy for channels with one buffer, or who does all by himself. */
    @Param({BYTES, ARRAYS, "heap", "direct", "heap-view", "direct-view", TRANSFER_TO, FILES_COPY, TRANSFERS})
    public String way;

    /** In bytes, or {@code own} where there is none to choose. */
    @Param({CopyingFiles.OWN, "2048", "8192", "32768", "131072", "1048576"})
    public String buffer;

    private RandomFile file;
    private Path target;
    Copier copier;

    @Setup(Level.Trial)
    public void make() throws IOException {
        file = new RandomFile(CopyingFiles.BYTES);
        target = file.beside("copy.bin");
        copier = copier(way, buffer);
    }

    private static Copier copier(String way, String buffer) {
        return switch (way) {
            case BYTES -> new ByteByByte(Integer.parseInt(buffer));
            case ARRAYS -> new WholeArrays(Integer.parseInt(buffer));
            case TRANSFER_TO -> (ChannelCopier) ChannelCopier::transferTo;
            case FILES_COPY -> Files::copy;
            case TRANSFERS -> PooledCopier.transfers();
            default -> PooledCopier.throughOneBuffer(way, Integer.parseInt(buffer));
        };
    }

    /** Copies the file. */
    @Benchmark
    public Path copy() throws IOException {
        copier.copy(file.path(), target);
        return target;
    }

    @TearDown(Level.Invocation)
    public void compare() throws IOException {
        long difference = Files.mismatch(file.path(), target);
        Files.delete(target);
        if (difference >= 0) {
            throw new IllegalStateException(
                    "not a copy: way=" + way + ", buffer=" + buffer + ", first difference at=" + difference);
        }
    }

    @TearDown(Level.Trial)
    public void close() throws IOException {
        copier.close();
        file.close();
    }
}
