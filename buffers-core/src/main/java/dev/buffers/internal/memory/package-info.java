/** Raw memory: regions, the budget that admits them, and what the JVM allows. Knows no slot; the pool only as {@code PoolState}. */
@NullMarked
package dev.buffers.internal.memory;

import org.jspecify.annotations.NullMarked;
