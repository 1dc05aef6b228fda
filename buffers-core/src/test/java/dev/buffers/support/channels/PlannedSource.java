// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.support.channels;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SeekableByteChannel;

/** Gives its content as a plan says; as a channel, a channel with a position, or a stream. */
public class PlannedSource implements ReadableByteChannel {
    public final byte[] content;
    public final Plan plan;
    public int given;
    public int reads;
    public boolean closed;

    public PlannedSource(byte[] content, Plan plan) {
        this.content = content;
        this.plan = plan;
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        if (++reads > 1_000_000) {
            throw new AssertionError("read for ever");
        }
        if (given == content.length && !plan.isDue(given)) {
            return -1;
        }
        int n = plan.portion(Math.min(into.remaining(), content.length - given), given);
        into.put(content, given, n);
        given += n;
        plan.fail(given); // with n bytes in the buffer
        return n;
    }

    @Override
    public boolean isOpen() {
        return !closed;
    }

    @Override
    public void close() {
        closed = true;
    }

    public InputStream stream() {
        return new InputStream() {
            @Override
            public int read() {
                throw new AssertionError("one byte at a time");
            }

            @Override
            public int read(byte[] into, int offset, int length) throws IOException {
                plan.fail(given); // a stream that fails gives nothing
                if (given == content.length) {
                    return -1;
                }
                int n = plan.portion(Math.min(length, content.length - given), given);
                System.arraycopy(content, given, into, offset, n);
                given += n;
                return n;
            }

            @Override
            public void close() {
                closed = true;
            }
        };
    }

    public static final class Seekable extends PlannedSource implements SeekableByteChannel {
        public Seekable(byte[] content, Plan plan) {
            super(content, plan);
        }

        @Override
        public long position() {
            return given;
        }

        @Override
        public SeekableByteChannel position(long position) {
            given = Math.toIntExact(position);
            return this;
        }

        @Override
        public long size() {
            return content.length;
        }

        @Override
        public int write(ByteBuffer from) {
            throw new AssertionError("a source");
        }

        @Override
        public SeekableByteChannel truncate(long size) {
            throw new AssertionError("a source");
        }
    }
}
