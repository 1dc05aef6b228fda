/** Raw memory: regions, the budget that admits them, and the limits of the JVM. Knows no slot; the pool only as {@code PoolState}. */
@NullMarked
package dev.buffers.internal.memory;

import org.jspecify.annotations.NullMarked;
