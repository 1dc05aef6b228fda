/** Helpers for reading and writing with leases. They use only the public API of the pool. */
@NullMarked
package dev.buffers.io;

import org.jspecify.annotations.NullMarked;
