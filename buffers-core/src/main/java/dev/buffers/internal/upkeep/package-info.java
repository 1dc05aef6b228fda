/** The daemon thread that looks after all pools. Knows a pool only as {@code PoolState}, and budgets, which outlive their pools. */
@NullMarked
package dev.buffers.internal.upkeep;

import org.jspecify.annotations.NullMarked;
