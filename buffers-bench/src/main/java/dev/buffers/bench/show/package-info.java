/** The main job: web servers under the same load, and which policy of the pool costs the least CPU time for a request. */
@NullMarked
package dev.buffers.bench.show;

import org.jspecify.annotations.NullMarked;
