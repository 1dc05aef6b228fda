// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.work;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.buffers.BufferPool;
import dev.buffers.PooledBuffer;
import dev.buffers.bench.harness.Outside;
import dev.buffers.bench.pools.Timed;
import dev.buffers.bench.pools.contenders.Pools;
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
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.TearDown;

/**
 * How long does it take to copy a file of 37 MB? The file is in the page cache and its copy goes there too: nothing waits for a disk.
 * Each copy is a new file, compared byte for byte and deleted outside the measured part. A copy may well take longer than an
 * iteration, which then is that one copy.
 */
public class CopyBenchmark extends Timed {
    /** Of the file; no multiple of any buffer. */
    private static final int BYTES = 37_000_000;

    private static final int LARGEST = 1 << 20;

    /** Streams by bytes or by arrays, a pool's policy for channels with one buffer, or what moves all by itself. */
    @Param({"bytes", "arrays", "heap", "direct", "heap-view", "direct-view", "transferTo", "Files.copy", "Transfers"})
    public String way;

    /** In bytes, or {@code own} where there is none to choose. */
    @Param({"own", "2048", "8192", "32768", "131072", "1048576"})
    public String buffer;

    private RandomFile file;
    private Path target;
    private Copier<Path> copier;
    private Runnable end = () -> {};

    /** Copies one file to another: of two paths the second is new, and opening and closing is included. */
    private interface Copier<F> {
        void copy(F from, F to) throws IOException;
    }

    @Override
    public void open() throws IOException {
        file = RandomFile.create(BYTES);
        target = Path.of(file.path() + ".copy");
        target.toFile().deleteOnExit();
        int size = buffer.equals("own") ? 0 : Integer.parseInt(buffer);
        copier = switch (way) {
            case "bytes" -> (from, to) -> byBytes(from, to, size);
            case "arrays" -> (from, to) -> byArrays(from, to, size);
            case "transferTo" -> channels(CopyBenchmark::transferTo);
            case "Files.copy" -> Files::copy;
            case "Transfers" -> channels(new Transfers(pool("direct-view"))::transfer);
            default -> throughBuffer(pool(way), size);
        };
    }

    private BufferPool pool(String policy) {
        BufferPool pool =
                BufferPool.builder("copy").policy(policy).maxSize(LARGEST).build();
        end = () -> Pools.closeQuiet(pool);
        return pool;
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
        try (InputStream in = new FileInputStream(from.toFile());
                OutputStream out = new FileOutputStream(to.toFile())) {
            TransferBenchmark.loop(in, out, size);
        }
    }

    private static Copier<Path> channels(Copier<FileChannel> way) {
        return (from, to) -> {
            try (FileChannel in = FileChannel.open(from);
                    FileChannel out = FileChannel.open(to, WRITE, CREATE_NEW)) {
                way.copy(in, out);
            }
        };
    }

    private static Copier<Path> throughBuffer(BufferPool pool, int size) {
        return channels((in, out) -> {
            try (PooledBuffer lease = pool.acquire(size)) {
                ByteBuffer buffer = lease.buffer();
                while (in.read(buffer) >= 0) {
                    buffer.flip();
                    while (buffer.hasRemaining()) {
                        out.write(buffer);
                    }
                    buffer.clear();
                }
            }
        });
    }

    private static void transferTo(FileChannel in, FileChannel out) throws IOException {
        long size = in.size();
        for (long position = 0; position < size; ) {
            position += in.transferTo(position, size - position, out);
        }
    }

    @Benchmark
    public Path copy() throws IOException {
        copier.copy(file.path(), target);
        return target;
    }

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

    @Override
    public void close() throws IOException {
        end.run();
        file.close();
    }
}
