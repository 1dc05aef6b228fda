/** What every comparison shares: figures and their spread, the ratio of two sides with its interval, and the one rule for the word. */
@NullMarked
package dev.buffers.bench.figures;

import org.jspecify.annotations.NullMarked;
