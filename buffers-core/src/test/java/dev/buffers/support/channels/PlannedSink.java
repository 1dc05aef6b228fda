// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.support.channels;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.Random;

/** Takes bytes as a plan says; as a channel or a stream. */
public class PlannedSink implements WritableByteChannel {
    public final ByteArrayOutputStream taken = new ByteArrayOutputStream();
    public final Plan plan;
    public int writes;
    public int largest;
    public boolean flushed;
    public boolean onlyDirect;
    public int closes;

    public PlannedSink(Plan plan) {
        this.plan = plan;
    }

    /** Takes any number of bytes at a time. */
    public PlannedSink(Random random) {
        this(new Plan(random).most(Integer.MAX_VALUE));
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        if (++writes > 10_000_000) {
            throw new AssertionError("written to again and again");
        }
        if (onlyDirect && !from.isDirect()) {
            throw new AssertionError("a heap buffer reached the channel");
        }
        largest = Math.max(largest, from.remaining());
        int n = plan.portion(from.remaining(), taken.size());
        for (int i = 0; i < n; i++) {
            taken.write(from.get());
        }
        if (plan.isDue(taken.size())) {
            from.limit(from.position()); // as one that sets a limit for a part and restores it only on success
        }
        plan.fail(taken.size()); // with n bytes taken
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

    /** Takes all of a write, or the part before the byte at which it fails. */
    public OutputStream stream() {
        return new OutputStream() {
            @Override
            public void write(int b) {
                throw new AssertionError("one byte at a time");
            }

            @Override
            public void write(byte[] from, int offset, int length) throws IOException {
                writes++;
                largest = Math.max(largest, length);
                for (int i = 0; i < length; i++) {
                    plan.fail(taken.size());
                    taken.write(from[offset + i]);
                }
                plan.fail(taken.size());
            }

            @Override
            public void flush() {
                flushed = true;
            }

            @Override
            public void close() {
                closes++;
            }
        };
    }
}
