/** The commands of the bench: one program, {@link dev.buffers.bench.Bench}, and what its subcommands share. */
@NullMarked
package dev.buffers.bench;

import org.jspecify.annotations.NullMarked;
