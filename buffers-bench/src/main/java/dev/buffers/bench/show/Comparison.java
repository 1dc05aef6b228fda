package dev.buffers.bench.show;

/** A claim put to the test: that {@code claimant} is better than {@code other} by this metric. */
record Comparison(Lane claimant, Lane other, Metric metric, Verdict verdict) {}
