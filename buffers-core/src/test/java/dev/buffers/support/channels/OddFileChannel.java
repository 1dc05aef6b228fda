// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.support.channels;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.function.IntSupplier;

/** A user's file channel, which transfers less than it is asked for, or only pretends to, or fails in a write. */
public final class OddFileChannel extends FileChannel {
    private final FileChannel real;
    public IntSupplier atMost = () -> Integer.MAX_VALUE;
    public boolean pretend;

    /** Bytes that writes take before one of them fails, once, in its middle. */
    public int failWriteAt = -1;

    public OddFileChannel(FileChannel real) {
        this.real = real;
    }

    @Override
    public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
        long n = Math.min(count, atMost.getAsInt());
        return pretend ? Math.min(n, size() - position) : real.transferTo(position, n, target);
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        return real.read(into);
    }

    @Override
    public int read(ByteBuffer into, long position) throws IOException {
        return real.read(into, position);
    }

    @Override
    public long position() throws IOException {
        return real.position();
    }

    @Override
    public FileChannel position(long position) throws IOException {
        real.position(position);
        return this;
    }

    @Override
    public long size() throws IOException {
        return real.size();
    }

    @Override
    protected void implCloseChannel() throws IOException {
        real.close();
    }

    @Override
    public long transferFrom(ReadableByteChannel from, long position, long count) {
        throw new AssertionError("a source");
    }

    @Override
    public long read(ByteBuffer[] into, int offset, int length) {
        throw new AssertionError("one buffer");
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        int n = from.remaining();
        if (failWriteAt < 0 || position() + n <= failWriteAt) {
            return real.write(from);
        }
        from.limit(from.position() + (int) (failWriteAt - position()));
        real.write(from);
        failWriteAt = -1;
        throw new IOException("planned");
    }

    @Override
    public int write(ByteBuffer from, long position) {
        throw new AssertionError("a source");
    }

    @Override
    public long write(ByteBuffer[] from, int offset, int length) {
        throw new AssertionError("a source");
    }

    @Override
    public FileChannel truncate(long size) {
        throw new AssertionError("a source");
    }

    @Override
    public void force(boolean metadata) {
        throw new AssertionError("a source");
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long position, long size) {
        throw new AssertionError("not mapped");
    }

    @Override
    public FileLock lock(long position, long size, boolean shared) {
        throw new AssertionError("not locked");
    }

    @Override
    public FileLock tryLock(long position, long size, boolean shared) {
        throw new AssertionError("not locked");
    }
}
