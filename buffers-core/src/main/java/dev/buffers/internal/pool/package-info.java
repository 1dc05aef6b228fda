/** The pool: the path of a hit, and the order of attempts of a miss; waiting, hand-off, reclaiming and maintenance. Knows everything below. */
@NullMarked
package dev.buffers.internal.pool;

import org.jspecify.annotations.NullMarked;
