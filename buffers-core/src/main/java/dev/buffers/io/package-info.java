/** Helpers for reading and writing with leases; they see nothing of the pool but its public API. */
@NullMarked
package dev.buffers.io;

import org.jspecify.annotations.NullMarked;
