package dev.buffers.bench.work;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.buffers.BufferPool;
import dev.buffers.PooledBuffer;
import dev.buffers.bench.duet.Outside;
import dev.buffers.bench.lanes.Timed;
import dev.buffers.bench.lanes.contenders.Pools;
import dev.buffers.io.Transfers;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * How long does it take to copy a file of 37 MB? The file is in the page cache and its copy goes there too: nothing waits for a disk.
 * Each copy is a new file, compared byte for byte and deleted outside the measured part. A copy may well take longer than an
 * iteration, which then is that one copy.
 */
@State(Scope.Benchmark)
@SuppressWarnings("NullAway.Init") // JMH sets the parameters and calls the set-up
public class CopyBenchmark extends Timed {
    /** Of the file; no multiple of any buffer. */
    private static final int BYTES = 37_000_000;

    private static final int LARGEST = 1 << 20;

    /** Streams by bytes or by arrays, a pool's policy for channels with one buffer, or who does all by himself. */
    @Param({"bytes", "arrays", "heap", "direct", "heap-view", "direct-view", "transferTo", "Files.copy", "Transfers"})
    public String way;

    /** In bytes, or {@code own} where there is none to choose. */
    @Param({"own", "2048", "8192", "32768", "131072", "1048576"})
    public String buffer;

    private RandomFile file;
    private Path target;
    private Copier copier;
    private @Nullable BufferPool pool;

    /** Copies a file to where there is none, opening and closing included. */
    private interface Copier {
        void copy(Path from, Path to) throws IOException;
    }

    /** The same with two channels. */
    private interface Channels {
        void copy(FileChannel in, FileChannel out) throws IOException;
    }

    @Setup(Level.Trial)
    public void make() throws IOException {
        file = new RandomFile(BYTES);
        target = file.beside("copy.bin");
        int size = buffer.equals("own") ? 0 : Integer.parseInt(buffer);
        copier = switch (way) {
            case "bytes" -> (from, to) -> byBytes(from, to, size);
            case "arrays" -> (from, to) -> byArrays(from, to, size);
            case "transferTo" -> channels(CopyBenchmark::transferTo);
            case "Files.copy" -> Files::copy;
            case "Transfers" -> {
                Transfers transfers = new Transfers(pool("direct-view"));
                yield channels(transfers::transfer);
            }
            default -> {
                BufferPool lending = pool(way);
                yield channels((in, out) -> {
                    try (PooledBuffer lease = lending.acquire(size)) {
                        through(lease.buffer(), in, out);
                    }
                });
            }
        };
    }

    private BufferPool pool(String policy) {
        BufferPool made =
                BufferPool.builder("copy").policy(policy).maxSize(LARGEST).build();
        pool = made;
        return made;
    }

    /** Buffered streams, and one call to read and one to write for each byte. */
    private static void byBytes(Path from, Path to, int size) throws IOException {
        try (InputStream in = new BufferedInputStream(new FileInputStream(from.toFile()), size);
                OutputStream out = new BufferedOutputStream(new FileOutputStream(to.toFile()), size)) {
            for (int next = in.read(); next >= 0; next = in.read()) {
                out.write(next);
            }
        }
    }

    private static void byArrays(Path from, Path to, int size) throws IOException {
        byte[] bytes = new byte[size];
        try (InputStream in = new FileInputStream(from.toFile());
                OutputStream out = new FileOutputStream(to.toFile())) {
            for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
                out.write(bytes, 0, read);
            }
        }
    }

    private static Copier channels(Channels way) {
        return (from, to) -> {
            try (FileChannel in = FileChannel.open(from);
                    FileChannel out = FileChannel.open(to, WRITE, CREATE_NEW)) {
                way.copy(in, out);
            }
        };
    }

    private static void through(ByteBuffer buffer, FileChannel in, FileChannel out) throws IOException {
        while (in.read(buffer) >= 0) {
            buffer.flip();
            while (buffer.hasRemaining()) {
                out.write(buffer);
            }
            buffer.clear();
        }
    }

    private static void transferTo(FileChannel in, FileChannel out) throws IOException {
        long size = in.size();
        for (long position = 0; position < size; ) {
            position += in.transferTo(position, size - position, out);
        }
    }

    /** Copies the file. */
    @Benchmark
    public Path copy() throws IOException {
        copier.copy(file.path(), target);
        return target;
    }

    /** Not measured. */
    @TearDown(Level.Invocation)
    public void compare() throws IOException {
        Outside.run(() -> {
            long difference = Files.mismatch(file.path(), target);
            Files.delete(target);
            if (difference >= 0) {
                throw new IllegalStateException(
                        "not a copy: way=" + way + ", buffer=" + buffer + ", first difference at=" + difference);
            }
        });
    }

    @TearDown(Level.Trial)
    public void close() throws IOException {
        if (pool != null) {
            Pools.closeQuiet(pool);
        }
        file.close();
    }
}
