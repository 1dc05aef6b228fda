// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.harness;

import java.util.concurrent.TimeUnit;

/** Whether a process is warm: it has used CPU time enough, and its JIT compilers have done next to nothing for a while. */
final class Warmup {
    private final Comparison.Pace pace;
    private final int compilersShare;
    private final int most;
    private long usedNanos;
    private long quietSince;
    private long windowSince;
    private long compiledBefore;

    /**
     * One that has not begun.
     *
     * @param compilersShare it is quiet while compilers use one part of so many of the time: some small method is always being compiled
     * @param most so many times the wanted CPU time a process that still compiles is warmed, and is then taken as it is
     */
    Warmup(Comparison.Pace pace, int compilersShare, int most) {
        this.pace = pace;
        this.compilersShare = compilersShare;
        this.most = most;
    }

    /** Begins, or goes on after what need not be quiet. */
    void begin(long compilingNanos) {
        quietSince = System.nanoTime();
        beginWindow(quietSince, compilingNanos);
    }

    /**
     * Goes on.
     *
     * @param nanos CPU time since the last reading
     * @param compilingNanos what the compilers have done in all
     */
    void observe(long nanos, long compilingNanos) {
        usedNanos += nanos;
        long now = System.nanoTime();
        long quiet = TimeUnit.MILLISECONDS.toNanos(pace.quietMillis());
        boolean compiles = compilingNanos - compiledBefore > quiet / compilersShare;
        if (compiles) {
            quietSince = now;
        }
        if (compiles || now - windowSince >= quiet) {
            beginWindow(now, compilingNanos);
        }
    }

    private void beginWindow(long now, long compilingNanos) {
        windowSince = now;
        compiledBefore = compilingNanos;
    }

    boolean goesOn() {
        return !isWarm() && usedMillis() < most * Math.max(1L, Math.max(pace.warmMillis(), pace.quietMillis()));
    }

    /** The length of the next run: the rest of the warm-up, and enough to be quiet in it, though it begins with new code to compile. */
    long nextMillis() {
        return Math.max(pace.warmMillis() - usedMillis(), 2L * pace.quietMillis());
    }

    Contestant.Warmth warmth(boolean threadClock, String core) {
        return new Contestant.Warmth(usedMillis(), quietMillis(), isWarm(), threadClock, core);
    }

    private boolean isWarm() {
        return usedMillis() >= pace.warmMillis() && quietMillis() >= pace.quietMillis();
    }

    long usedMillis() {
        return TimeUnit.NANOSECONDS.toMillis(usedNanos);
    }

    private long quietMillis() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - quietSince);
    }
}
