/** The claims under test: tables whose rows are claims, and the outcome of each. */
@NullMarked
package dev.buffers.bench.claims;

import org.jspecify.annotations.NullMarked;
