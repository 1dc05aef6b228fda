/**
 * The pool as lower packages see it ({@code PoolState}): settings, signals, counters, events, waiters, user code. Knows the API, and no
 * memory.
 */
@NullMarked
package dev.buffers.internal.signals;

import org.jspecify.annotations.NullMarked;
