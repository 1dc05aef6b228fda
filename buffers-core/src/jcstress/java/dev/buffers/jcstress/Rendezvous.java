// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.jcstress;

import java.util.concurrent.atomic.AtomicInteger;

/** Where two actors of one state wait for each other, but not for long: where one takes longer, they would soon be far apart. */
final class Rendezvous {
    private static final int PATIENCE = 20_000;

    private final AtomicInteger arrived = new AtomicInteger();

    void here() {
        arrived.incrementAndGet();
        for (int i = 0; i < PATIENCE && arrived.get() < 2; i++) {
            Thread.onSpinWait();
        }
    }
}
