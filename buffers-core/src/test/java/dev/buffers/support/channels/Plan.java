// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.support.channels;

import java.io.IOException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.util.ArrayDeque;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/** How an end behaves: how much it moves at a time, when it moves nothing, and at which bytes it fails, and how. */
public final class Plan {
    private final Random random;
    private final ArrayDeque<Integer> failAt = new ArrayDeque<>();
    public int most = 1000;
    public boolean slow;

    /** One operation in so many moves nothing; 0 for never. */
    public int zeroEvery;

    /** One operation in so many fails, having moved nothing or all that it would; 0 for none. */
    public int failIn;

    /** Thrown by the next operation. */
    private Throwable next;

    /** The last failure that was thrown. */
    public Throwable thrown;

    public Plan(Random random) {
        this.random = random;
    }

    public Plan most(int bytes) {
        most = bytes;
        return this;
    }

    public Plan failsAt(int bytes) {
        failAt.add(bytes);
        return this;
    }

    /** The next operation throws this, and moves nothing. */
    public Plan failsWith(Throwable failure) {
        return failsWith(0, failure);
    }

    /** The operation that has moved that many bytes in all throws this. */
    public Plan failsWith(int bytes, Throwable failure) {
        next = failure;
        failAt.addFirst(bytes);
        return this;
    }

    /** Any of the ways to behave, with failures within the first {@code bytes}. */
    public static Plan random(Random random, int bytes) {
        Plan plan = new Plan(random);
        plan.most = 1 + random.nextInt(random.nextBoolean() ? 10 : 3000);
        plan.slow = random.nextInt(8) == 0;
        plan.zeroEvery = random.nextInt(3) == 0 ? 2 + random.nextInt(20) : 0;
        random.ints(random.nextInt(3), 0, bytes + 1).sorted().forEach(plan.failAt::add);
        return plan;
    }

    /** From now on: much or little at a time, sometimes nothing, and failures that do not end. */
    public void disturb(int size) {
        most = 1 + random.nextInt(random.nextBoolean() ? 50 : 3 * size);
        zeroEvery = random.nextInt(8);
        zeroEvery = zeroEvery == 1 ? 0 : zeroEvery;
        failIn = random.nextBoolean() ? 0 : 2 + random.nextInt(10);
    }

    /** No such disturbance any more. */
    public void calm() {
        failIn = 0;
        zeroEvery = 0;
    }

    /** How many of {@code room} bytes to move now, {@code done} having been moved; less when it is to fail at once after. */
    public int portion(int room, int done) {
        if (slow && random.nextInt(50) == 0) {
            LockSupport.parkNanos(20_000);
        }
        if (zeroEvery > 0 && random.nextInt(zeroEvery) == 0) {
            return 0;
        }
        int n = Math.min(room, 1 + random.nextInt(most));
        if (failIn > 0 && random.nextInt(failIn) == 0) {
            next = Failures.any(random);
            failAt.addFirst(done + (random.nextBoolean() ? 0 : n));
        }
        return failAt.isEmpty() ? n : Math.min(n, Math.max(0, failAt.element() - done));
    }

    public boolean isDue(int done) {
        return !failAt.isEmpty() && done >= failAt.element();
    }

    /** Fails if that is due, {@code done} bytes having been moved. */
    public void fail(int done) throws IOException {
        if (isDue(done)) {
            failAt.remove();
            thrown = next != null
                    ? next
                    : switch (random.nextInt(5)) {
                        case 0 -> new IOException("planned");
                        case 1 -> new IllegalStateException("planned");
                        case 2 -> new ClosedByInterruptException();
                        case 3 -> new AsynchronousCloseException();
                        default -> new StackOverflowError("planned");
                    };
            next = null;
            Failures.<RuntimeException>sneak(thrown);
        }
    }
}
