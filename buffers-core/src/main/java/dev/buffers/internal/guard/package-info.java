/**
 * The pool of {@code guard=on}, which gives each lease separate memory and finds code that uses a buffer it does not own. Knows the size
 * classes and the daemon, but no slab, cache or other pool.
 */
@NullMarked
package dev.buffers.internal.guard;

import org.jspecify.annotations.NullMarked;
