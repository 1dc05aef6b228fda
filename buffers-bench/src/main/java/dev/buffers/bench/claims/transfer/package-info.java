/** Streams moved into streams. */
@NullMarked
package dev.buffers.bench.claims.transfer;

import org.jspecify.annotations.NullMarked;
