// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.support;

import java.util.List;
import java.util.Random;

/**
 * Any bytes, read as settings and operations for one pool, which are checked as in the model test: each byte is one of the choices that
 * otherwise a seed makes. While it runs, time passes by the operations only, so the caller holds a {@link WaitHeldTick}.
 */
public final class FuzzedPool {
    private static final int MOST_OPERATIONS = 400;

    /** About as many choices as an operation takes, with its operands. */
    private static final int BYTES_OF_ONE = 4;

    private FuzzedPool() {}

    public static void run(byte[] input) {
        Random choices = new Choices(input);
        List<Combination> settings = Combinations.all();
        Combination combination = settings.get(choices.nextInt(settings.size()));
        int count = Math.min(MOST_OPERATIONS, input.length / BYTES_OF_ONE);
        ModelSequence.random(combination, choices, count, choices.nextBoolean())
                .check("fuzzed:", ReferenceModel::new, Thread::new);
    }

    /** One byte for each number, and zeros behind the last. */
    private static final class Choices extends Random {
        private static final long serialVersionUID = 1;

        private final byte[] bytes;
        private int at;

        Choices(byte[] bytes) {
            this.bytes = bytes;
        }

        @Override
        protected int next(int bits) {
            int choice = at < bytes.length ? bytes[at++] & 0xFF : 0;
            return choice * 0x01010101 >>> 32 - bits; // its highest bits are chosen, and its lowest
        }
    }
}
