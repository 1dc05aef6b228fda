/** What to set on this machine: each policy in a few uses, and the conclusion. */
@NullMarked
package dev.buffers.bench.advise;

import org.jspecify.annotations.NullMarked;
