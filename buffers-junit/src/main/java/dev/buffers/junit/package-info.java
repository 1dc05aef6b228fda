/** A JUnit extension that fails a test which leaves a lease open. */
@NullMarked
package dev.buffers.junit;

import org.jspecify.annotations.NullMarked;
