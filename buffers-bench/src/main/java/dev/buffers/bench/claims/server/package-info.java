/** Whole servers under load, each in a JVM of its own. */
@NullMarked
package dev.buffers.bench.claims.server;

import org.jspecify.annotations.NullMarked;
