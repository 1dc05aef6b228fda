/** The pool: the path of a hit, the order of attempts on a miss, waiting, hand-off, reclaiming, maintenance. Uses all packages below it. */
@NullMarked
package dev.buffers.internal.pool;

import org.jspecify.annotations.NullMarked;
