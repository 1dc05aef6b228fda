/** What nobody measured. */
@NullMarked
package dev.buffers.bench.claims.unmeasured;

import org.jspecify.annotations.NullMarked;
