package dev.buffers.bench.claims.kinds;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;

/** Reads in one way, each time into the same place. */
interface Reader extends Closeable {

    /** At most so many bytes; how many came. */
    int read(int most) throws IOException;

    /** What the last read has left there. */
    byte at(int index);

    /** Overwrites one byte, to see whether a read brings it. */
    void spoil(int index);

    @Override
    default void close() {}

    /** From a stream into an array. */
    final class StreamToArray implements Reader {
        private final InputStream stream;
        private final byte[] array;

        StreamToArray(InputStream stream, byte[] array) {
            this.stream = stream;
            this.array = array;
        }

        @Override
        public int read(int most) throws IOException {
            return stream.read(array, 0, most);
        }

        @Override
        public byte at(int index) {
            return array[index];
        }

        @Override
        public void spoil(int index) {
            array[index] = -1;
        }
    }

    /** From a channel into a buffer of one kind. */
    final class ChannelToBuffer implements Reader {
        private final HeldBuffer held;
        private final ByteBuffer buffer;
        private final ReadableByteChannel channel;

        ChannelToBuffer(BufferKind kind, ReadableByteChannel channel, int size) {
            this.held = kind.hold(size);
            this.buffer = held.buffer();
            this.channel = channel;
        }

        @Override
        public int read(int most) throws IOException {
            return channel.read(buffer.limit(most).rewind());
        }

        @Override
        public byte at(int index) {
            return buffer.get(index);
        }

        @Override
        public void spoil(int index) {
            buffer.clear().put(index, (byte) -1);
        }

        @Override
        public void close() {
            held.close();
        }
    }
}
