/**
 * What to set on this machine. {@link dev.buffers.bench.advise.Uses} measures what a pool is used for, under each policy;
 * {@link dev.buffers.bench.advise.Advice} draws the conclusion and measures nothing; {@link dev.buffers.bench.advise.AdviseCommand} is
 * what one runs.
 */
@NullMarked
package dev.buffers.bench.advise;

import org.jspecify.annotations.NullMarked;
