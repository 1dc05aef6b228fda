/** What a pool reports: statistics, lost leases, findings of the guard, MBeans. Uses what it watches, but not the pool that calls it. */
@NullMarked
package dev.buffers.internal.monitor;

import org.jspecify.annotations.NullMarked;
