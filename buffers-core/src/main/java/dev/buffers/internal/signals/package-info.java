/** The pool as the floors below it see it ({@link dev.buffers.internal.signals.PoolState}): settings, signals, counters, events, and the calls of a user's code. Knows the API and no memory. */
@NullMarked
package dev.buffers.internal.signals;

import org.jspecify.annotations.NullMarked;
