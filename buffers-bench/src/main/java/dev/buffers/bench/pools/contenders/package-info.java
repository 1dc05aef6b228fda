/** The pools that the workloads compare, each behind the same narrow seam. */
@NullMarked
package dev.buffers.bench.pools.contenders;

import org.jspecify.annotations.NullMarked;
