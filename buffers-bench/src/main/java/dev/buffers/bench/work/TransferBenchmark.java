// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.work;

import dev.buffers.BufferPool;
import dev.buffers.bench.harness.Outside;
import dev.buffers.bench.pools.Timed;
import dev.buffers.bench.pools.contenders.Pools;
import dev.buffers.io.Transfers;
import java.io.ByteArrayOutputStream;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.util.zip.CRC32;
import java.util.zip.CheckedOutputStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * What does it cost to move a file into a {@code ByteArrayOutputStream}? As in the source, the file is opened and the array
 * begun outside the measured part; the array grows inside it. The length is checked each time, the content once an iteration.
 */
@SuppressWarnings("NullAway.Init") // the streams are set for each invocation
public class TransferBenchmark extends Timed {
    private static final String POOLED = "transfers-";

    /** What moves the bytes; with {@code -channel} the stream is {@code Files.newInputStream}'s, else a {@code FileInputStream}. */
    @Param({
        "transferTo",
        "transferTo-channel",
        "loop",
        "loop-channel",
        POOLED + "heap",
        POOLED + "heap-view",
        POOLED + "direct",
        POOLED + "direct-view"
    })
    public String way;

    /** In bytes, or {@code own} where it is not ours to choose. */
    @Param({"own", "8192", "16384", "32768", "65536", "131072"})
    public String buffer;

    /** Of the file, in bytes. */
    @Param({"65536", "1048576", "67108864"})
    public int size;

    private RandomFile file;
    private Mover mover;
    private InputStream in;
    private ByteArrayOutputStream out;
    private Runnable end = () -> {};

    /** Moves all that a stream has into another stream. A JVM has one way, so that its calls can be inlined. */
    private interface Mover {
        void move(InputStream in, OutputStream out) throws IOException;
    }

    @Override
    public void open() throws IOException {
        file = RandomFile.create(size);
        if (way.startsWith("transferTo")) {
            mover = InputStream::transferTo;
            return;
        }
        int room = Integer.parseInt(buffer);
        if (way.startsWith(POOLED)) {
            BufferPool pool = BufferPool.builder("transfer")
                    .policy(way.substring(POOLED.length()))
                    .build();
            end = () -> Pools.closeQuiet(pool);
            mover = new Transfers(pool, room)::transfer;
        } else {
            mover = (from, to) -> loop(from, to, room);
        }
    }

    /** As {@link InputStream#transferTo}, with a new array of any size for each transfer. */
    static void loop(InputStream in, OutputStream out, int room) throws IOException {
        byte[] bytes = new byte[room];
        for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
            out.write(bytes, 0, read);
        }
    }

    @Setup(Level.Invocation)
    public void begin() throws IOException {
        Outside.run(() -> {
            in = way.endsWith("-channel")
                    ? Files.newInputStream(file.path())
                    : new FileInputStream(file.path().toFile());
            out = new ByteArrayOutputStream();
        });
    }

    @Benchmark
    public ByteArrayOutputStream transfer() throws IOException {
        mover.move(in, out);
        return out;
    }

    @TearDown(Level.Invocation)
    public void checkLength() throws IOException {
        Outside.run(() -> {
            in.close();
            if (out.size() != size) {
                throw new IllegalStateException("not all has arrived: bytes=" + out.size() + ", wanted=" + size);
            }
        });
    }

    @TearDown(Level.Iteration)
    public void checkContent() throws IOException {
        Outside.run(() -> {
            CRC32 sum = new CRC32();
            out.writeTo(new CheckedOutputStream(OutputStream.nullOutputStream(), sum));
            if (sum.getValue() != file.crc()) {
                throw new IllegalStateException("wrong bytes have arrived: way=" + way + ", buffer=" + buffer);
            }
        });
    }

    @Override
    public void close() throws IOException {
        end.run();
        file.close();
    }
}
