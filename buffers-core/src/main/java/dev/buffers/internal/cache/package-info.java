/** Caches of free slots: a magazine per thread and class, a depot per class (Bonwick and Adams, USENIX 2001). Knows slots, no memory. */
@NullMarked
package dev.buffers.internal.cache;

import org.jspecify.annotations.NullMarked;
