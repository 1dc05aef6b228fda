// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.support;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Where all the threads of a burn come together now and then, so that nothing moves for a while. */
final class Meeting {
    private static final long LOOK = 200_000;

    private final int parties;
    private final AtomicInteger arrived = new AtomicInteger();
    private volatile boolean called;
    private volatile int round;

    Meeting(int parties) {
        this.parties = parties;
    }

    /** By who calls it, and later {@linkplain #end ends} it. */
    void call() {
        called = true;
    }

    boolean isCalled() {
        return called;
    }

    /** Whether all have come. */
    boolean isComplete() {
        return arrived.get() == parties;
    }

    void end() {
        arrived.set(0);
        called = false;
        round++;
    }

    /** By each of the parties: returns when the meeting has ended. */
    void attend() {
        int mine = round;
        arrived.incrementAndGet();
        while (round == mine) {
            LockSupport.parkNanos(LOOK);
        }
    }
}
