package dev.buffers.bench.show;

import dev.buffers.bench.figures.Ratio;

/** A claim put to the test: that {@code claimant} is better than {@code other} by this metric. */
record Comparison(Lane claimant, Lane other, Metric metric, Ratio ratio) {}
