/** The kinds of memory and how each is filled, copied, written and read. */
@NullMarked
package dev.buffers.bench.work;

import org.jspecify.annotations.NullMarked;
