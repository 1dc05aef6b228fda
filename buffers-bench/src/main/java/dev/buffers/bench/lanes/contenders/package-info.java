/** The pools that the lanes compare, each behind the same narrow seam. */
@NullMarked
package dev.buffers.bench.lanes.contenders;

import org.jspecify.annotations.NullMarked;
