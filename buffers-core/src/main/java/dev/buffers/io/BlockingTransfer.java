// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.io;

import dev.buffers.BufferPool;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.WritableByteChannel;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One synchronous transfer: first what the JDK itself does better, then the rest through a buffer. For one thread, once. */
final class BlockingTransfer {
    /*
     * B1  `moved` counts what the sink is known to have taken, also when something is thrown.
     * B2  The position of a source that has one is where `moved` ends, whenever no call of an end is in progress and no byte is in the
     *     buffer; so also after a failure, if it can be set at all.
     * B3  FileChannel.transferTo is used only for the JDK's own channels. For any other it copies through 8 KiB, and swallows what the
     *     target throws once something was written: we would then write again what a failed write had taken. FileChannel.transferFrom
     *     is not used: from anything but a file it copies so too, and it loses what it could not write.
     * B4  The JDK ends at the size that a file says it has. Files under /proc say 0 and have content: size 0 is no end here.
     * B5  A close by another thread ends a transfer at once. Before JDK 22 a transferTo that is blocked in a socket does not notice that
     *     the socket is closed (JDK-8310902), nor does one that is blocked in a pipe. These are written as any other channel is.
     * B6  A stream of the JDK over a channel is that channel, when a file is moved to it: InputStream.transferTo does not say how far it
     *     came when it fails, and available() is an int. Other streams are not asked: that costs an array.
     * B7  No more than StreamLease.MOST_AT_ONCE bytes of heap memory are given to the JDK at once: it takes direct memory for all of them.
     *
     * Sources, in JDK 17 and 25: sun.nio.ch.FileChannelImpl, ChannelInputStream (transferTo since 18), ChannelOutputStream,
     * SocketOutputStream; java.io.ByteArrayInputStream.
     */
    private static final boolean CLOSE_ENDS_SENDFILE = Runtime.version().feature() >= 22;

    /** What one {@code transferTo} may move: if a close or an interrupt ends it, it is not known how much of that the sink took. */
    private static final int MOST_BY_KERNEL = 8 << 20;

    private final BufferPool pool;
    private final int bufferSize;
    private final long max;

    /** A ReadableByteChannel or an InputStream. */
    private final Closeable source;

    /** A WritableByteChannel or an OutputStream. */
    private final Closeable sink;

    /** The source, or the file that it reads, if that has a position. */
    private final @Nullable SeekableByteChannel seekable;

    /** For streams: the array of the buffer and where it begins there, or an array that stands between them and direct memory. */
    private byte[] array = {};

    private int offset;

    /** The end that was given the buffer last. */
    private Closeable inUse;

    private long moved;
    private byte[] unwritten = {};

    BlockingTransfer(BufferPool pool, int bufferSize, long max, Closeable source, Closeable sink) {
        Closeable from = source.getClass() == FileInputStream.class ? ((FileInputStream) source).getChannel() : source;
        Closeable to = channelOf(sink, from instanceof FileChannel);
        boolean channels = from instanceof ReadableByteChannel && to instanceof WritableByteChannel;
        this.pool = pool;
        this.bufferSize = bufferSize;
        this.max = max;
        this.source = channels ? from : source;
        this.sink = channels ? to : sink;
        this.inUse = this.source;
        this.seekable = from instanceof SeekableByteChannel channel ? channel : null;
    }

    /** The sink's channel, if that is known. */
    private static Closeable channelOf(Closeable sink, boolean fromFile) {
        if (sink.getClass() == FileOutputStream.class) {
            return ((FileOutputStream) sink).getChannel();
        }
        if (fromFile
                && sink instanceof OutputStream out
                && out.getClass().getPackageName().equals("sun.nio.ch")) {
            WritableByteChannel beneath = ChannelProbe.beneath(out);
            if (beneath != null && StreamLease.isOfJdk(beneath)) {
                return beneath;
            }
        }
        return sink;
    }

    long run() throws IOException {
        try {
            checkChannels();
            if (!moveByJdk() && moved < max) {
                moveByBuffer();
            }
            return moved;
        } catch (Throwable e) {
            PartialTransferException.addTo(e, moved, unwritten);
            throw e;
        }
    }

    private void checkChannels() {
        for (Closeable end : List.of(source, sink)) {
            StreamLease.checkBytes(end);
            if (end instanceof SelectableChannel channel && !channel.isBlocking()) {
                throw new IllegalBlockingModeException();
            }
        }
        if (source == sink && source instanceof SeekableByteChannel) {
            throw new IllegalArgumentException("both ends are one channel with one position: channel=" + source);
        }
    }

    /** Moves what the JDK moves better. True when that was all, up to the end of the input. */
    private boolean moveByJdk() throws IOException {
        if (sink instanceof WritableByteChannel to) {
            return seekable instanceof FileChannel file
                    && StreamLease.positionOf(file) >= 0 // first: an interrupt closes the source
                    && isKernelTarget(to)
                    && moveByKernel(file, to);
        }
        return source.getClass() == ByteArrayInputStream.class
                && moveArray((ByteArrayInputStream) source, (OutputStream) sink);
    }

    /** Whether {@code FileChannel.transferTo} may be used for this channel (B3, B5). */
    private static boolean isKernelTarget(WritableByteChannel out) throws IOException {
        return StreamLease.isOfJdk(out)
                && (out instanceof FileChannel file
                        ? StreamLease.positionOf(file) >= 0
                        : out instanceof SocketChannel && CLOSE_ENDS_SENDFILE);
    }

    private boolean moveByKernel(FileChannel in, WritableByteChannel out) throws IOException {
        long position = StreamLease.positionOf(in);
        while (position >= 0 && moved < max) {
            long size = in.size();
            if (position >= size) {
                return size > 0; // B4
            }
            long n;
            try {
                n = in.transferTo(position, Math.min(MOST_BY_KERNEL, max - moved), out);
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
        return position >= 0;
    }

    private boolean moveArray(ByteArrayInputStream in, OutputStream out) throws IOException {
        int before = in.available();
        if (before > max || before > StreamLease.MOST_AT_ONCE && out.getClass() != ByteArrayOutputStream.class) { // B7
            return false;
        }
        try {
            in.transferTo(out);
            return true;
        } finally {
            moved += before - in.available();
        }
    }

    private void moveByBuffer() throws IOException {
        boolean fromStream = source instanceof InputStream;
        boolean toStream = sink instanceof OutputStream;
        int most = fromStream || toStream ? Math.min(bufferSize, StreamLease.MOST_AT_ONCE) : bufferSize; // B7
        int size = (int) Math.min(most, max - moved);
        if (fromStream && toStream && pool.settings().policy().direct()) {
            moveThrough(ByteBuffer.allocate(size));
            return;
        }
        StreamLease lease = new StreamLease(pool, size);
        try {
            moveThrough(lease.cleared().limit(size));
        } catch (Throwable e) {
            lease.tainted = mayStillUse(inUse, e);
            throw e;
        } finally {
            lease.giveBack();
        }
    }

    private static boolean mayStillUse(Closeable end, Throwable failure) {
        if (end instanceof PooledInputStream in) {
            return in.mayStillRead();
        } else if (end instanceof PooledOutputStream out) {
            return out.isBroken();
        }
        return StreamLease.mayStillUse(end, failure);
    }

    private void moveThrough(ByteBuffer chunk) throws IOException {
        int size = StreamLease.atOnce(chunk, chunk.limit()); // B7
        if (chunk.hasArray()) {
            array = chunk.array();
            offset = chunk.arrayOffset();
        } else if (source instanceof InputStream || sink instanceof OutputStream) {
            array = new byte[size];
        }
        try {
            while (moved < max) {
                chunk.clear().limit((int) Math.min(size, max - moved));
                if (!read(chunk)) {
                    return;
                }
                try {
                    write(chunk);
                } finally {
                    moved += chunk.position();
                }
            }
        } catch (Throwable e) {
            int left = chunk.remaining();
            if (left > 0 && !takeBack(left)) {
                unwritten = new byte[left];
                chunk.get(unwritten);
            }
            throw e;
        }
    }

    /** Reads once and flips the buffer, also when this throws; false at the end. A stream may give nothing and not be at its end. */
    private boolean read(ByteBuffer into) throws IOException {
        inUse = source;
        try {
            if (source instanceof ReadableByteChannel channel) {
                boolean more = channel.read(into) >= 0;
                if (more && into.position() == 0) {
                    throw new IllegalBlockingModeException();
                }
                return more;
            }
            int n = ((InputStream) source).read(array, offset, into.remaining());
            int given = Math.max(n, 0);
            if (!into.hasArray()) {
                into.put(0, array, 0, given);
            }
            into.position(given);
            return n >= 0;
        } finally {
            into.flip();
        }
    }

    /** Writes all that remains in the buffer. If it fails, the buffer's position says how much the sink has certainly taken. */
    private void write(ByteBuffer from) throws IOException {
        inUse = sink;
        if (sink instanceof WritableByteChannel channel) {
            StreamLease.writeAll(channel, from);
            return;
        }
        int end = from.limit();
        if (!from.hasArray()) {
            from.get(0, array, 0, end);
        }
        ((OutputStream) sink).write(array, offset, end);
        from.position(end);
    }

    /** Sets the source back by {@code bytes} bytes; false when it cannot. */
    private boolean takeBack(int bytes) {
        if (seekable == null) {
            return false;
        }
        try {
            seekable.position(seekable.position() - bytes);
            return true;
        } catch (IOException | RuntimeException e) {
            return false; // closed, or a pipe: the bytes are reported then
        }
    }
}
