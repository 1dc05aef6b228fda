/** Free slots outside their slabs: a magazine for each thread and class, and a depot for each class (Bonwick and Adams, USENIX 2001). Knows slots; asks nobody for memory. */
@NullMarked
package dev.buffers.internal.cache;

import org.jspecify.annotations.NullMarked;
