/** How a run goes, and the commands that are runs: {@code show}, {@code advise}, {@code claims}, {@code pools}, {@code compare} and {@code soak}. */
@NullMarked
package dev.buffers.bench.run;

import org.jspecify.annotations.NullMarked;
