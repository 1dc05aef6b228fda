/** Meters for the pools of {@code dev.buffers}. */
@NullMarked
package dev.buffers.micrometer;

import org.jspecify.annotations.NullMarked;
