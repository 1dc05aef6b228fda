/**
 * Caches of free slots: a magazine per thread and class, stripes of magazines that virtual threads share, a depot per class (Bonwick and
 * Adams, USENIX 2001). Knows slots.
 */
@NullMarked
package dev.buffers.internal.cache;

import org.jspecify.annotations.NullMarked;
