/**
 * Harness benchmarking: two resident JVMs take turns in slices of milliseconds, so that what disturbs one disturbs the other, and their
 * ratio is decided by a sequential test over pairs of JVMs (Bulej et al. 2020; Abedi and Brecht 2017; Kalibera and Jones 2013).
 */
@NullMarked
package dev.buffers.bench.harness;

import org.jspecify.annotations.NullMarked;
