package dev.buffers.bench.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ReadableByteChannel;
import org.jspecify.annotations.Nullable;

/** The buffers of one connection: one that it reads into, one that it fills, and a queue of those on their way out. */
public interface ConnectionBuffers extends AutoCloseable {

    /** What {@link #readFrom} returns at the cap: nothing was read for want of a buffer. */
    int NO_ROOM = -2;

    /** Makes sure of a buffer to read into: false at the cap. */
    boolean hasRoomForInput();

    /** The unread bytes, in fill mode. To be called only while there are some, or when there is room for them. */
    ByteBuffer input();

    /** Reads once: the bytes read, -1 at the end of the stream, or {@link #NO_ROOM}. */
    int readFrom(ReadableByteChannel channel) throws IOException;

    /** The buffer being filled, a new one if need be, or null at the cap. */
    @Nullable ByteBuffer room();

    /** Queues the buffer being filled, to be sent after those before it. */
    void send();

    /** Bytes queued and not yet written. */
    long queued();

    /** Writes once: true when the queue is empty. */
    boolean writeTo(GatheringByteChannel channel) throws IOException;

    /** Gives back whatever holds no unread bytes. */
    void idle();

    @Override
    void close();
}
