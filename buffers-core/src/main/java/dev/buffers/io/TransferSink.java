package dev.buffers.io;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.WritableByteChannel;
import org.jspecify.annotations.Nullable;

/** The end of a {@link BlockingTransfer} to which bytes go. */
sealed interface TransferSink {
    /** Writes all that remains in the buffer. If it fails, the buffer's position says how much the end has certainly taken. */
    void write(ByteBuffer from) throws IOException;

    /** A stream. Direct memory goes through an array of this object. */
    final class OfStream implements TransferSink {
        final OutputStream stream;
        private byte @Nullable [] between;

        OfStream(OutputStream stream) {
            this.stream = stream;
        }

        @Override
        public void write(ByteBuffer from) throws IOException {
            int n = from.remaining();
            int at = from.position();
            if (from.hasArray()) {
                stream.write(from.array(), from.arrayOffset() + at, n);
            } else {
                byte[] array = between == null || between.length < n ? new byte[from.capacity()] : between;
                between = array;
                from.get(at, array, 0, n);
                stream.write(array, 0, n);
            }
            from.position(at + n);
        }
    }

    final class OfChannel implements TransferSink {
        final WritableByteChannel channel;

        OfChannel(WritableByteChannel channel) {
            this.channel = channel;
        }

        @Override
        public void write(ByteBuffer from) throws IOException {
            int end = from.limit();
            while (from.position() < end) {
                int before = from.position();
                channel.write(from);
                if (from.position() == before) {
                    throw new IllegalBlockingModeException();
                }
                from.limit(end);
            }
        }
    }
}
