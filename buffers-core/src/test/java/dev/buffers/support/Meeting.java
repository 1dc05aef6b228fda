// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.support;

import java.util.concurrent.Phaser;

/** Where all the threads of a burn come together now and then, so that nothing moves for a while. */
final class Meeting {
    private final Phaser rounds;
    private volatile boolean called;

    Meeting(int parties) {
        rounds = new Phaser(parties + 1); // and who calls it
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
        return rounds.getUnarrivedParties() == 1;
    }

    void end() {
        called = false;
        rounds.arrive();
    }

    /** By each of the parties: returns when the meeting has ended. */
    void attend() {
        rounds.arriveAndAwaitAdvance();
    }
}
