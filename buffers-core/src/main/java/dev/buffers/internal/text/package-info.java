/** Conversion of sizes, durations and names to text and back. Knows the JDK alone. */
@NullMarked
package dev.buffers.internal.text;

import org.jspecify.annotations.NullMarked;
