/**
 * The pool of {@code guard=on}, which gives each lease separate memory and finds code that uses a buffer it does not own. Shares memory,
 * waiting and figures with the other pool, but has no slab, slot or cache.
 */
@NullMarked
package dev.buffers.internal.guard;

import org.jspecify.annotations.NullMarked;
