/**
 * A load generator that checks every byte it gets: closed loop for throughput, open loop for latency from the intended time of
 * sending. Its buffers are its own, never the pool's.
 */
@NullMarked
package dev.buffers.bench.load;

import org.jspecify.annotations.NullMarked;
