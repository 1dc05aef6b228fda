// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.work;

import dev.buffers.bench.harness.Outside;
import dev.buffers.bench.pools.Timed;
import java.io.EOFException;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/**
 * What does it cost to read 1 MiB in chunks of at most so many bytes? A connection is written by a separate thread, which does not count,
 * and may bring less at once. Each read checks the last byte, whose value follows from the number of bytes read before.
 */
public class ReadBenchmark extends Timed {
    /** Bytes in one operation. */
    private static final int TOTAL = 1 << 20;

    private static final int PERIODS_TO_WRITE = 1024;

    @Param
    public Via via;

    @Param
    public Source source;

    /** At most so many bytes in each read. */
    @Param({"8192", "131072", "1048576"})
    public int chunk;

    private BufferKind.Held held;
    private Reader reader;
    private Outside.Task rewind = () -> {};
    private Outside.Task end = () -> {};
    private long total;

    /** Where bytes are read from: zeros, the best case; a file in memory; a connection over the loopback. */
    public enum Source {
        devZero,
        file,
        socket
    }

    /** How bytes are read: from the JDK's own stream into an array, or from a channel into a buffer or a view of a large one. */
    public enum Via {
        stream(BufferKind.byteArray),
        channelHeap(BufferKind.heap),
        channelDirect(BufferKind.direct),
        channelHeapView(BufferKind.heapView),
        channelDirectView(BufferKind.directView);

        private final BufferKind kind;

        Via(BufferKind kind) {
            this.kind = kind;
        }
    }

    /** Reads at most so many bytes, each time into the same place. */
    private interface Reader {
        int read(int most) throws IOException;
    }

    @Override
    public void open() throws IOException {
        held = via.kind.hold(chunk);
        reader = switch (source) {
            case devZero -> ofFile(Path.of("/dev/zero"));
            case file -> ofFile(Files.write(ScratchFile.create(), Pattern.bytes(ScratchFile.BOUND)));
            case socket -> ofSocket();
        };
    }

    /** It is read from its beginning again when it has ended. */
    private Reader ofFile(Path file) throws IOException {
        FileInputStream stream = new FileInputStream(file.toFile());
        rewind = () -> stream.getChannel().position(0);
        end = () -> {
            stream.close();
            if (source == Source.file) {
                Files.delete(file);
            }
        };
        return via == Via.stream ? of(stream) : of(stream.getChannel());
    }

    private Reader ofSocket() throws IOException {
        Connection connection = new Connection(ReadBenchmark::feed);
        end = connection::end;
        return via == Via.stream ? of(connection.socket().getInputStream()) : of(connection.channel());
    }

    /** The far end writes the pattern until the reader has gone. */
    private static long feed(SocketChannel channel) {
        int size = PERIODS_TO_WRITE * Pattern.PERIOD;
        ByteBuffer buffer = ByteBuffer.allocateDirect(size).put(0, Pattern.bytes(size));
        long count = 0;
        try {
            while (true) {
                count += channel.write(buffer.hasRemaining() ? buffer : buffer.clear());
            }
        } catch (IOException e) {
            return count; // the reader has gone: the regular end
        }
    }

    private Reader of(InputStream stream) {
        byte[] array = held.buffer().array();
        return most -> stream.read(array, 0, most);
    }

    private Reader of(ReadableByteChannel channel) {
        ByteBuffer buffer = held.buffer();
        return most -> channel.read(buffer.limit(most).rewind());
    }

    @Override
    public void close() throws IOException {
        held.end().run();
        end.run();
    }

    @Benchmark
    public long read() throws IOException {
        int left = TOTAL;
        int n = 0;
        held.buffer().clear().put(chunk - 1, (byte) -1);
        while (left > 0) {
            n = reader.read(Math.min(chunk, left));
            if (n < 0) {
                throw new EOFException("the source has ended: left=" + left);
            }
            left -= n;
        }
        total += TOTAL;
        byte found = held.buffer().get(n - 1);
        if (found != at(total - 1)) {
            throw new IOException("wrong byte: index=" + (total - 1) + ", found=" + found);
        }
        if (source == Source.file && total % ScratchFile.BOUND == 0) {
            rewind.run();
        }
        return total;
    }

    /** What the byte is that has so many before it. */
    private byte at(long index) {
        return switch (source) {
            case devZero -> 0;
            case file -> Pattern.at(index % ScratchFile.BOUND);
            case socket -> Pattern.at(index);
        };
    }
}
