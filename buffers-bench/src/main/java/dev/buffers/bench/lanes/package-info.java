/** The JMH benchmarks: one class per question. */
@NullMarked
package dev.buffers.bench.lanes;

import org.jspecify.annotations.NullMarked;
