// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.support.channels;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SeekableByteChannel;
import java.util.Random;

/** Gives its content as a plan says; as a channel, a channel with a position, or a stream. */
public class PlannedSource implements ReadableByteChannel {
    public final byte[] content;
    public final Plan plan;
    public int given;
    public int reads;
    public int readsAfterEnd;
    public int closes;
    private boolean ended;

    public PlannedSource(byte[] content, Plan plan) {
        this.content = content;
        this.plan = plan;
    }

    /** Gives that many random bytes, any number at a time. */
    public PlannedSource(Random random, int bytes) {
        this(new byte[bytes], new Plan(random).most(Integer.MAX_VALUE));
        random.nextBytes(content);
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        if (++reads > 1_000_000) {
            throw new AssertionError("read again and again");
        }
        readsAfterEnd += ended ? 1 : 0;
        if (given == content.length && !plan.isDue(given)) {
            ended = true;
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
        return closes == 0;
    }

    @Override
    public void close() {
        closes++;
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
                closes++;
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
