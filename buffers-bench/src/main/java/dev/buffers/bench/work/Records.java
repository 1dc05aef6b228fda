// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.work;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.SplittableRandom;

/**
 * Some records of a small format to write and read, each {@code int id, long time, short type, byte length, byte[length] name},
 * in big-endian order; seeded, so that all forks have the same.
 */
final class Records {
    static final int COUNT = 64;

    private static final int LONGEST_NAME = 16;

    final int[] ids = new int[COUNT];
    final long[] times = new long[COUNT];
    final short[] types = new short[COUNT];
    final byte[][] names = new byte[COUNT][];

    /** As the JDK's own stream writes them. */
    final byte[] serialised;

    /** What a reader must find: the sum of every field and every byte of every name. */
    final long sum;

    Records(long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        long found = 0;
        for (int i = 0; i < COUNT; i++) {
            ids[i] = random.nextInt();
            times[i] = random.nextLong();
            types[i] = (short) random.nextInt();
            names[i] = new byte[random.nextInt(LONGEST_NAME + 1)];
            random.nextBytes(names[i]);
            out.writeInt(ids[i]);
            out.writeLong(times[i]);
            out.writeShort(types[i]);
            out.writeByte(names[i].length);
            out.write(names[i]);
            found += ids[i] + times[i] + types[i] + names[i].length;
            for (byte b : names[i]) {
                found += b;
            }
        }
        serialised = bytes.toByteArray();
        sum = found;
    }
}
