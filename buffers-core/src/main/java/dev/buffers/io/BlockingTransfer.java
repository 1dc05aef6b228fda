package dev.buffers.io;

import dev.buffers.BufferPool;
import dev.buffers.PooledBuffer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channel;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.SeekableByteChannel;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.WritableByteChannel;
import org.jspecify.annotations.Nullable;

/** One synchronous transfer: first what the JDK itself does better, then the rest through a buffer. For one thread, once. */
final class BlockingTransfer {
    /*
     * B1  `moved` counts what the sink is known to have taken, also when something is thrown.
     * B2  The position of a source that has one is where `moved` ends, whenever no call of an end is in progress and no byte is in the
     *     buffer; so also after a failure, if it can be set at all.
     * B3  FileChannel.transferTo is used only for the JDK's own channels. For any other it copies through 8 KiB, and swallows what the
     *     target throws once something was written: we would then write again what a failed write had taken.
     * B4  The JDK ends at the size that a file says it has. Files under /proc say 0 and have content: size 0 is no end here.
     *
     * Sources, in JDK 17 and 25: sun.nio.ch.FileChannelImpl, ChannelInputStream (transferTo since 18), ChannelOutputStream,
     * SocketOutputStream; java.io.ByteArrayInputStream.
     */
    private final BufferPool pool;
    private final int bufferSize;
    private final long max;
    private long moved;
    private byte @Nullable [] unwritten;

    BlockingTransfer(BufferPool pool, int bufferSize, long max) {
        this.pool = pool;
        this.bufferSize = bufferSize;
        this.max = max;
    }

    long run(TransferSource source, TransferSink sink) throws IOException {
        try {
            checkChannels(source, sink);
            if (!moveByJdk(source, sink) && moved < max) {
                moveByBuffer(source, sink);
            }
            return moved;
        } catch (Throwable e) {
            PartialTransferException.addTo(e, moved, unwritten);
            throw e;
        }
    }

    private static void checkChannels(TransferSource source, TransferSink sink) {
        if (source instanceof TransferSource.OfChannel in) {
            checkBlocking(in.channel);
            if (sink instanceof TransferSink.OfChannel out
                    && in.channel == out.channel
                    && in.channel instanceof SeekableByteChannel) {
                throw new IllegalArgumentException(
                        "both ends are one channel with one position: channel=" + in.channel);
            }
        }
        if (sink instanceof TransferSink.OfChannel out) {
            checkBlocking(out.channel);
        }
    }

    private static void checkBlocking(Channel channel) {
        if (channel instanceof SelectableChannel selectable && !selectable.isBlocking()) {
            throw new IllegalBlockingModeException();
        }
    }

    /** Moves what the JDK moves better. True when that was all, up to the end of the input. */
    private boolean moveByJdk(TransferSource source, TransferSink sink) throws IOException {
        if (sink instanceof TransferSink.OfChannel to) {
            FileChannel file = source.file();
            return file != null && isKernelTarget(to.channel) && moveByKernel(file, to.channel);
        }
        OutputStream out = ((TransferSink.OfStream) sink).stream;
        InputStream in = source instanceof TransferSource.OfStream from ? from.stream : null;
        if (in != null && in.getClass() == ByteArrayInputStream.class && in.available() <= max) {
            return moveByStream(in, out);
        }
        if (max != Long.MAX_VALUE || !isJdks(out, "sun.nio.ch.ChannelOutputStream", "sun.nio.ch.SocketOutputStream")) {
            return false;
        }
        if (in != null && isJdks(in, "sun.nio.ch.ChannelInputStream")) {
            return in.available() > 0 && moveByStream(in, out); // it has a position; B4
        }
        FileChannel file = source.file();
        if (file == null || positionOf(file) < 0) {
            return false;
        }
        InputStream stream = Channels.newInputStream(file);
        return stream.available() > 0 && moveByStream(stream, out); // B4
    }

    /** Whether {@code FileChannel.transferTo} may be used for this channel (B3). */
    private static boolean isKernelTarget(WritableByteChannel out) {
        return (out instanceof FileChannel || out instanceof SocketChannel)
                && out.getClass().getModule() == Object.class.getModule();
    }

    private static boolean isJdks(Object stream, String... names) {
        Class<?> type = stream.getClass();
        if (type.getModule() == Object.class.getModule()) {
            for (String name : names) {
                if (type.getName().equals(name)) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean moveByKernel(FileChannel in, WritableByteChannel out) throws IOException {
        long position = positionOf(in);
        if (position < 0) {
            return false;
        }
        while (moved < max) {
            long size = in.size();
            if (position >= size) {
                return size > 0; // B4
            }
            long n;
            try {
                n = in.transferTo(position, max - moved, out);
            } catch (UnsupportedOperationException e) {
                return false;
            }
            if (n <= 0) {
                return false; // whatever the reason, reading and writing will show it
            }
            position += n;
            moved += n;
            in.position(position);
        }
        return true;
    }

    /** The position; negative for a file without one, such as a pipe. */
    private static long positionOf(FileChannel file) throws IOException {
        try {
            return file.position();
        } catch (ClosedChannelException e) {
            throw e;
        } catch (IOException e) {
            return -1;
        }
    }

    private boolean moveByStream(InputStream in, OutputStream out) throws IOException {
        long before = in.available();
        try {
            moved += in.transferTo(out);
            return true;
        } catch (Throwable e) {
            moved += Math.max(0, before - availableAfter(e, in));
            throw e;
        }
    }

    private static long availableAfter(Throwable failure, InputStream in) {
        try {
            return in.available();
        } catch (IOException | RuntimeException e) {
            failure.addSuppressed(e);
            return Long.MAX_VALUE;
        }
    }

    private void moveByBuffer(TransferSource source, TransferSink sink) throws IOException {
        int size = (int) Math.min(bufferSize, max - moved);
        boolean streams = source instanceof TransferSource.OfStream && sink instanceof TransferSink.OfStream;
        if (streams && pool.settings().policy().direct()) {
            move(source, sink, ByteBuffer.allocate(size));
            return;
        }
        try (PooledBuffer lease = pool.acquire(size)) {
            move(source, sink, lease.buffer());
        }
    }

    private void move(TransferSource source, TransferSink sink, ByteBuffer chunk) throws IOException {
        int size = chunk.limit();
        int filled = 0;
        boolean writing = false;
        try {
            while (moved < max) {
                chunk.clear().limit((int) Math.min(size, max - moved));
                if (!source.read(chunk)) {
                    return;
                }
                filled = chunk.flip().limit();
                writing = true;
                sink.write(chunk); // writes nothing if a stream gave nothing
                moved += filled;
                writing = false;
            }
        } catch (Throwable e) {
            if (writing) {
                moved += chunk.limit(filled).position(); // a failed write may have left any limit
            } else {
                chunk.flip(); // a failed read may have given something
            }
            int left = chunk.remaining();
            if (left > 0 && !source.takeBack(left)) {
                byte[] rest = new byte[left];
                chunk.get(rest);
                unwritten = rest;
            }
            throw e;
        }
    }
}
