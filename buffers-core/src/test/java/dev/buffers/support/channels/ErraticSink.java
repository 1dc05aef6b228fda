// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.support.channels;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.Random;

/** Takes bytes a few at a time; takes none, or throws before or after some, as often as the test says. */
public class ErraticSink implements WritableByteChannel {
    public final ByteArrayOutputStream taken = new ByteArrayOutputStream();
    public int most = Integer.MAX_VALUE;
    public int writes;
    public int closes;
    public int largest;
    public boolean onlyDirect;

    /** One write in so many takes nothing; 0 for none. */
    public int nothingIn;

    /** One write in so many throws; 0 for none. */
    public int failIn;

    private final Random random;

    public ErraticSink(Random random) {
        this.random = random;
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        writes++;
        largest = Math.max(largest, from.remaining());
        if (onlyDirect && !from.isDirect()) {
            throw new AssertionError("a heap buffer reached the channel");
        }
        if (nothingIn > 0 && random.nextInt(nothingIn) == 0) {
            return 0;
        }
        int n = Math.min(from.remaining(), 1 + random.nextInt(most));
        if (failIn > 0 && random.nextInt(failIn) == 0) {
            take(from, random.nextBoolean() ? 0 : n);
            throw Failures.any(random);
        }
        take(from, n);
        return n;
    }

    private void take(ByteBuffer from, int n) {
        byte[] bytes = new byte[n];
        from.get(bytes);
        taken.writeBytes(bytes);
    }

    @Override
    public boolean isOpen() {
        return closes == 0;
    }

    @Override
    public void close() {
        closes++;
    }
}
