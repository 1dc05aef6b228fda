// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.work;

import dev.buffers.BufferPool;
import dev.buffers.bench.harness.Outside;
import dev.buffers.bench.pools.Timed;
import dev.buffers.bench.pools.contenders.Pools;
import dev.buffers.io.PooledOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/**
 * What does it cost to write so many bytes at once? They are there already, in the array or in the buffer: a comparison of ways that
 * begin with filling an array would fill it in both. A connection is read by a separate thread, which does not count. The written bytes
 * are counted at the other end, and a file is compared.
 */
public class WriteBenchmark extends Timed {
    private static final Path IO_COUNTS = Path.of("/proc/self/io");
    private static final int ROOM_TO_READ = 256 << 10;

    @Param
    public Via via;

    @Param
    public Sink sink;

    @Param({"512", "8192", "8193", "131072", "1048576"})
    public int size;

    private byte[] content;
    private Writer writer;
    private Outside.Task rewind = () -> {};
    private Outside.Task finish = () -> {};
    private Runnable release = () -> {};

    /** Since the beginning, or since a file was rewound. */
    private long written;

    private long longest;

    /** Where bytes are written to: nowhere, the best case; a file in memory; a connection over the loopback. */
    public enum Sink {
        devNull,
        file,
        socket
    }

    /** How bytes are written. */
    public enum Via {
        /** An array to the JDK's own stream. */
        stream,
        /** An array to a stream over a channel. */
        channelStream,
        /** An array copied into a direct buffer, and that to a channel. */
        staged,
        /** An array to the library's own staged stream, flushed each time. */
        pooledStream,
        /** A buffer to a channel; or a view of a large buffer. */
        channelHeap,
        channelDirect,
        channelHeapView,
        channelDirectView
    }

    /** Writes the content, in one way. */
    private interface Writer {
        void write(byte[] content) throws IOException;
    }

    @Override
    public void open() throws IOException {
        content = Pattern.bytes(size);
        writer = switch (sink) {
            case devNull -> toNowhere();
            case file -> toFile(ScratchFile.create());
            case socket -> toSocket();
        };
    }

    /** The system does nothing with the bytes but count them, together with what else this process writes. */
    private Writer toNowhere() throws IOException {
        FileOutputStream stream = new FileOutputStream("/dev/null");
        long before = countedBySystem();
        finish = () -> {
            stream.close();
            long after = countedBySystem();
            if (after >= 0) {
                checkArrived(Math.min(written, after - before));
            }
        };
        return to(stream);
    }

    /** All bytes that this process has written; -1 where the system does not count. */
    private static long countedBySystem() throws IOException {
        if (!Files.isReadable(IO_COUNTS)) {
            return -1;
        }
        for (String line : Files.readAllLines(IO_COUNTS)) {
            if (line.startsWith("wchar: ")) {
                return Long.parseLong(line.substring("wchar: ".length()));
            }
        }
        return -1;
    }

    /** It is written over from its beginning when it has grown large. */
    private Writer toFile(Path file) throws IOException {
        FileOutputStream stream = new FileOutputStream(file.toFile());
        rewind = () -> {
            checkArrived(stream.getChannel().position());
            stream.getChannel().position(0);
            longest = Math.max(longest, written);
            written = 0;
        };
        finish = () -> {
            try (stream) {
                rewind.run();
                compare(Files.readAllBytes(file));
            } finally {
                Files.delete(file);
            }
        };
        return to(stream);
    }

    private void compare(byte[] found) throws IOException {
        if (found.length != longest) {
            throw new IOException("not the file that was written: size=" + found.length + ", expected=" + longest);
        }
        for (int at = 0; at < found.length; at += size) {
            if (!Arrays.equals(found, at, at + size, content, 0, size)) {
                throw new IOException("not the file that was written: different from=" + at);
            }
        }
    }

    private Writer toSocket() throws IOException {
        Connection connection = new Connection(this::drain);
        finish = () -> checkArrived(connection.end());
        return via == Via.stream ? connection.socket().getOutputStream()::write : to(connection.channel());
    }

    /** The far end reads and counts, and looks at one byte of each read. */
    private long drain(SocketChannel channel) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(ROOM_TO_READ);
        long count = 0;
        for (int n = channel.read(buffer); n >= 0; n = channel.read(buffer.clear())) {
            if (n > 0 && buffer.get(0) != content[(int) (count % size)]) {
                throw new IOException("wrong byte: index=" + count + ", found=" + buffer.get(0));
            }
            count += n;
        }
        return count;
    }

    private void checkArrived(long arrived) throws IOException {
        if (arrived != written) {
            throw new IOException("bytes are missing: written=" + written + ", arrived=" + arrived);
        }
    }

    private Writer to(FileOutputStream stream) {
        return via == Via.stream ? stream::write : to(stream.getChannel());
    }

    private Writer to(WritableByteChannel channel) {
        return switch (via) {
            case stream, channelStream -> Channels.newOutputStream(channel)::write;
            case staged -> {
                ByteBuffer stage = ByteBuffer.allocateDirect(size);
                yield bytes -> all(stage.clear().put(bytes).flip(), channel);
            }
            case pooledStream -> pooled(channel);
            case channelHeap -> of(BufferKind.heap, channel);
            case channelDirect -> of(BufferKind.direct, channel);
            case channelHeapView -> of(BufferKind.heapView, channel);
            case channelDirectView -> of(BufferKind.directView, channel);
        };
    }

    /** A flushed stream has no lease. */
    private Writer pooled(WritableByteChannel channel) {
        BufferPool heap = BufferPool.builder("claims").policy("heap-view").build();
        BufferPool direct = BufferPool.builder("claims").build();
        PooledOutputStream stream = PooledOutputStream.to(channel, heap, direct);
        release = () -> {
            Pools.closeQuiet(heap);
            Pools.closeQuiet(direct);
        };
        return bytes -> {
            stream.write(bytes);
            stream.flush();
        };
    }

    /** The content is in the buffer already. */
    private Writer of(BufferKind kind, WritableByteChannel channel) {
        BufferKind.Held held = kind.hold(size);
        release = held.end();
        ByteBuffer buffer = held.buffer().put(0, content);
        return bytes -> all(buffer.rewind(), channel);
    }

    private static void all(ByteBuffer buffer, WritableByteChannel channel) throws IOException {
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
    }

    /** Checks that all has arrived, and closes. */
    @Override
    public void close() throws IOException {
        try {
            finish.run();
        } finally {
            release.run();
        }
    }

    @Benchmark
    public Object write() throws IOException {
        writer.write(content);
        written += size;
        if (sink == Sink.file && written + size > ScratchFile.BOUND) {
            rewind.run();
        }
        return writer;
    }
}
