/** Files copied in every way that Java has. */
@NullMarked
package dev.buffers.bench.claims.copy;

import org.jspecify.annotations.NullMarked;
