/** Reads, checks and completes the settings of a pool. Knows the policies and limits of {@code memory}, but no slot and no pool. */
@NullMarked
package dev.buffers.internal.settings;

import org.jspecify.annotations.NullMarked;
