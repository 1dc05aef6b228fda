/** The JMH benchmarks: one class per question. */
@NullMarked
package dev.buffers.bench.pools;

import org.jspecify.annotations.NullMarked;
