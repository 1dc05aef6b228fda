/** How a run goes, and the commands {@code claims}, {@code lanes} and {@code duet}. */
@NullMarked
package dev.buffers.bench.run;

import org.jspecify.annotations.NullMarked;
