package dev.buffers.io;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SeekableByteChannel;
import org.jspecify.annotations.Nullable;

/** The end of a {@link BlockingTransfer} from which bytes come. */
sealed interface TransferSource {
    /** Reads once and moves the buffer's position; false at the end. A stream may give nothing and not be at its end. */
    boolean read(ByteBuffer into) throws IOException;

    /** The source as a channel that has a position, or null. */
    @Nullable SeekableByteChannel seekable();

    /** Sets the source back by {@code bytes} bytes; false when it cannot. */
    default boolean takeBack(int bytes) {
        SeekableByteChannel channel = seekable();
        if (channel == null) {
            return false;
        }
        try {
            channel.position(channel.position() - bytes);
            return true;
        } catch (IOException | RuntimeException e) {
            return false; // closed, or a pipe: the bytes are reported then
        }
    }

    /** The source as a file channel, or null. */
    default @Nullable FileChannel file() {
        return seekable() instanceof FileChannel file ? file : null;
    }

    /** A stream. Direct memory goes through an array of this object. */
    final class OfStream implements TransferSource {
        final InputStream stream;
        private byte @Nullable [] between;

        OfStream(InputStream stream) {
            this.stream = stream;
        }

        @Override
        public boolean read(ByteBuffer into) throws IOException {
            int room = into.remaining();
            int n;
            if (into.hasArray()) {
                int at = into.position();
                n = stream.read(into.array(), into.arrayOffset() + at, room);
                into.position(at + Math.max(n, 0));
            } else {
                byte[] array = between == null ? new byte[room] : between; // the first is the largest
                between = array;
                n = stream.read(array, 0, room);
                into.put(array, 0, Math.max(n, 0));
            }
            return n >= 0;
        }

        @Override
        public @Nullable SeekableByteChannel seekable() {
            return stream.getClass() == FileInputStream.class ? ((FileInputStream) stream).getChannel() : null;
        }
    }

    final class OfChannel implements TransferSource {
        final ReadableByteChannel channel;

        OfChannel(ReadableByteChannel channel) {
            this.channel = channel;
        }

        @Override
        public boolean read(ByteBuffer into) throws IOException {
            boolean more = channel.read(into) >= 0;
            if (more && into.position() == 0) {
                throw new IllegalBlockingModeException();
            }
            return more;
        }

        @Override
        public @Nullable SeekableByteChannel seekable() {
            return channel instanceof SeekableByteChannel seekable ? seekable : null;
        }
    }
}
