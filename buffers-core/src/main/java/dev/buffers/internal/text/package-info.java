/** Sizes, durations and names as texts, in both directions. Knows the JDK alone. */
@NullMarked
package dev.buffers.internal.text;

import org.jspecify.annotations.NullMarked;
