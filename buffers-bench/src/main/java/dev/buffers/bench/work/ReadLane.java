package dev.buffers.bench.work;

import dev.buffers.bench.lanes.Timed;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * What does it cost to read 1 MiB in chunks of at most so many bytes? A connection is written by a thread of its own, which does not count,
 * and may bring less at once. Each time the last byte is looked at, whose value follows from how many were read before.
 */
@State(Scope.Thread)
@SuppressWarnings("NullAway.Init") // JMH sets the parameters and calls the set-up
public class ReadLane extends Timed {
    /** Bytes in one operation. */
    static final int TOTAL = 1 << 20;

    /** How. */
    @Param
    public Via via;

    /** Where from. */
    @Param
    public Source source;

    /** At most so many bytes in each read. */
    @Param({"8192", "131072", "1048576"})
    public int chunk;

    private Inlet inlet;
    private HeldBuffer held;
    private Reader reader;
    private long total;

    /** Where bytes are read from. */
    public enum Source {
        /** Zeros: the best case. */
        devZero,
        /** A file in memory. */
        file,
        /** A connection over the loopback. */
        socket
    }

    /** How bytes are read. */
    public enum Via {
        /** From the JDK's own stream into an array. */
        stream,
        /** From a channel into a buffer. */
        channelHeap,
        channelDirect,
        /** From a channel into a view of a large buffer. */
        channelHeapView,
        channelDirectView
    }

    /** Reads at most so many bytes, each time into the same place. */
    private interface Reader {
        int read(int most) throws IOException;
    }

    /** Opens the way. */
    @Setup(Level.Trial)
    public void open() throws IOException {
        inlet = switch (source) {
            case devZero -> new Inlet.DevZero();
            case file -> new Inlet.Reread();
            case socket -> new Inlet.Connection();
        };
        BufferKind kind = switch (via) {
            case stream -> BufferKind.byteArray;
            case channelHeap -> BufferKind.heap;
            case channelDirect -> BufferKind.direct;
            case channelHeapView -> BufferKind.heapView;
            case channelDirectView -> BufferKind.directView;
        };
        held = kind.hold(chunk);
        ByteBuffer buffer = held.buffer();
        if (kind == BufferKind.byteArray) {
            InputStream stream = inlet.stream();
            reader = most -> stream.read(buffer.array(), 0, most);
        } else {
            ReadableByteChannel channel = inlet.channel();
            reader = most -> channel.read(buffer.limit(most).rewind());
        }
    }

    /** Closes it. */
    @TearDown(Level.Trial)
    public void close() throws IOException {
        held.close();
        inlet.close();
    }

    /** All the bytes. */
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
        if (found != inlet.at(total - 1)) {
            throw new IOException("not what was to be read: index=" + (total - 1) + ", found=" + found);
        }
        inlet.tookAll();
        return total;
    }
}
