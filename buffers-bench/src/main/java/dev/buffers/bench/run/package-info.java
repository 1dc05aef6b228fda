/** The commands that measure and report: {@code claims} and {@code lanes}. */
@NullMarked
package dev.buffers.bench.run;

import org.jspecify.annotations.NullMarked;
