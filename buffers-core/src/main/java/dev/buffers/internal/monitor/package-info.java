/** What is told of a pool: statistics, lost leases, findings of the guard, MBeans. Knows what it watches, and not the pool that calls it. */
@NullMarked
package dev.buffers.internal.monitor;

import org.jspecify.annotations.NullMarked;
