// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.io;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import org.jspecify.annotations.Nullable;

/**
 * Finds the channel beneath an output stream that {@link Channels} or {@code Files} made: it poses as a file that is transferred there.
 *
 * <p>From JDK 18 on the JDK gives that channel to {@code FileChannel.transferTo}, since it moves files so. Where it does not, it reads this
 * file, which is then at its end, and the channel remains unknown. No byte is written.
 */
final class ChannelProbe extends FileChannel {
    private @Nullable WritableByteChannel found;

    private ChannelProbe() {}

    /** The channel beneath the stream, or null if there is none, or none that can be found. */
    static @Nullable WritableByteChannel beneath(OutputStream out) {
        ChannelProbe probe = new ChannelProbe();
        try (InputStream in = Channels.newInputStream(probe)) {
            in.transferTo(out);
        } catch (IOException | RuntimeException e) {
            return probe.found; // such as IllegalBlockingModeException: the transfer itself will throw that
        }
        return probe.found;
    }

    @Override
    public long transferTo(long from, long count, WritableByteChannel target) {
        found = target;
        return 1; // all that there is
    }

    @Override
    public long size() {
        return found == null ? 1 : 0;
    }

    @Override
    public long position() {
        return 0;
    }

    @Override
    public FileChannel position(long newPosition) {
        return this;
    }

    @Override
    public int read(ByteBuffer into) {
        return -1;
    }

    @Override
    public long read(ByteBuffer[] into, int offset, int length) {
        return -1;
    }

    @Override
    public int read(ByteBuffer into, long from) {
        return -1;
    }

    @Override
    public int write(ByteBuffer from) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long write(ByteBuffer[] from, int offset, int length) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int write(ByteBuffer from, long to) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long transferFrom(ReadableByteChannel source, long to, long count) {
        throw new UnsupportedOperationException();
    }

    @Override
    public FileChannel truncate(long newSize) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void force(boolean metadata) {
        throw new UnsupportedOperationException();
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long from, long length) {
        throw new UnsupportedOperationException();
    }

    @Override
    public FileLock lock(long from, long length, boolean shared) {
        throw new UnsupportedOperationException();
    }

    @Override
    public FileLock tryLock(long from, long length, boolean shared) {
        throw new UnsupportedOperationException();
    }

    @Override
    protected void implCloseChannel() {}
}
