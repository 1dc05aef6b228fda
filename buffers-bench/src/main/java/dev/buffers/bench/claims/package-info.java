/** What is put to the test: tables whose rows are claims, and what became of each. */
@NullMarked
package dev.buffers.bench.claims;

import org.jspecify.annotations.NullMarked;
