package dev.buffers.bench.load;

import java.util.SplittableRandom;

/** When an open loop's requests are due: at random, with exponential gaps, as from many clients that know nothing of each other. */
public final class Schedule {
    private final double meanGapNanos;
    private final SplittableRandom random;
    private long next;

    /** A schedule from {@code begin} on, the same for the same seed. */
    public Schedule(long begin, double rate, long seed) {
        this.meanGapNanos = 1e9 / rate;
        this.random = new SplittableRandom(seed);
        this.next = begin;
        advance();
    }

    /** When the next one is due, by {@link System#nanoTime}. */
    public long next() {
        return next;
    }

    /** Goes on to the one after it. */
    public void advance() {
        next += (long) (-Math.log(1 - random.nextDouble()) * meanGapNanos);
    }
}
