// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.support.channels;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.Random;

/** Gives its bytes a few at a time; gives none, or throws before or after some, as often as the test says. */
public final class ErraticSource implements ReadableByteChannel {
    public final byte[] content;
    public int given;
    public int most = Integer.MAX_VALUE;
    public int reads;
    public int readsAfterEnd;
    public int closes;

    /** One read in so many gives nothing; 0 for none. */
    public int nothingIn;

    /** One read in so many throws; 0 for none. */
    public int failIn;

    private final Random random;
    private boolean ended;

    public ErraticSource(Random random, int bytes) {
        this.random = random;
        this.content = new byte[bytes];
        random.nextBytes(content);
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        reads++;
        if (ended) {
            readsAfterEnd++;
        }
        if (nothingIn > 0 && random.nextInt(nothingIn) == 0) {
            return 0;
        }
        int n = Math.min(Math.min(into.remaining(), content.length - given), 1 + random.nextInt(most));
        if (failIn > 0 && random.nextInt(failIn) == 0) {
            give(into, random.nextBoolean() ? 0 : n);
            throw Failures.any(random);
        }
        if (n == 0) {
            ended = true;
            return -1;
        }
        give(into, n);
        return n;
    }

    private void give(ByteBuffer into, int n) {
        into.put(content, given, n);
        given += n;
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
