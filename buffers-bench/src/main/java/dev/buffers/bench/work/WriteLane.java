package dev.buffers.bench.work;

import dev.buffers.BufferPool;
import dev.buffers.bench.lanes.Timed;
import dev.buffers.bench.lanes.contenders.Pools;
import dev.buffers.io.PooledOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * What does it cost to write so many bytes at once? They are there already, in the array or in the buffer: whoever compares
 * ways that begin with filling an array would fill it in both. A connection is read by a thread of its own, which does not count; what has
 * been written is counted at the other end, and a file is compared.
 */
@State(Scope.Thread)
@SuppressWarnings("NullAway.Init") // JMH sets the parameters and calls the set-up
public class WriteLane extends Timed {
    /** How. */
    @Param
    public Via via;

    /** Where to. */
    @Param
    public Sink sink;

    /** Bytes in each write. */
    @Param({"512", "8192", "8193", "131072", "1048576"})
    public int size;

    private Outlet outlet;
    private Writer writer;

    private Runnable end = () -> {};

    /** Where bytes are written to. */
    public enum Sink {
        /** Nowhere: the best case. */
        devNull,
        /** A file in memory. */
        file,
        /** A connection over the loopback. */
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
        /** A buffer to a channel. */
        channelHeap,
        channelDirect,
        /** A view of a large buffer to a channel. */
        channelHeapView,
        channelDirectView
    }

    /** Writes the same bytes again and again, in one way. */
    private interface Writer {
        void write() throws IOException;
    }

    /** Opens the way. */
    @Setup(Level.Trial)
    public void open() throws IOException {
        byte[] content = Pattern.bytes(size);
        outlet = switch (sink) {
            case devNull -> new Outlet.DevNull(size);
            case file -> new Outlet.Rewritten(content);
            case socket -> new Outlet.Connection(content);
        };
        writer = switch (via) {
            case stream -> to(outlet.stream(), content);
            case channelStream -> to(Channels.newOutputStream(outlet.channel()), content);
            case staged -> staged(outlet.channel(), content);
            case pooledStream -> throughPool(outlet.channel(), content);
            case channelHeap -> of(BufferKind.heap, content);
            case channelDirect -> of(BufferKind.direct, content);
            case channelHeapView -> of(BufferKind.heapView, content);
            case channelDirectView -> of(BufferKind.directView, content);
        };
    }

    private static Writer to(OutputStream stream, byte[] content) {
        return () -> stream.write(content);
    }

    private static Writer staged(WritableByteChannel channel, byte[] content) {
        ByteBuffer stage = ByteBuffer.allocateDirect(content.length);
        return () -> all(stage.clear().put(content).flip(), channel);
    }

    /** The channel is the outlet's to close, and a flushed stream has no lease. */
    private Writer throughPool(WritableByteChannel channel, byte[] content) {
        BufferPool heap = BufferPool.builder("claims").policy("heap-view").build();
        BufferPool direct = BufferPool.builder("claims").build();
        PooledOutputStream stream = PooledOutputStream.to(channel, heap, direct);
        end = () -> {
            Pools.closeQuiet(heap);
            Pools.closeQuiet(direct);
        };
        return () -> {
            stream.write(content);
            stream.flush();
        };
    }

    private Writer of(BufferKind kind, byte[] content) throws IOException {
        HeldBuffer held = kind.hold(content.length);
        end = held::close;
        ByteBuffer buffer = held.buffer().put(0, content);
        WritableByteChannel channel = outlet.channel();
        return () -> all(buffer.rewind(), channel);
    }

    private static void all(ByteBuffer buffer, WritableByteChannel channel) throws IOException {
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
    }

    /** Checks that all has arrived, and closes. */
    @TearDown(Level.Trial)
    public void close() throws IOException {
        try {
            outlet.finish();
        } finally {
            end.run();
            outlet.close();
        }
    }

    /** One write. */
    @Benchmark
    public Object write() throws IOException {
        writer.write();
        outlet.wrote();
        return writer;
    }
}
