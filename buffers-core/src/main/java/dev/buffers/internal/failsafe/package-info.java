/** Code that works with a full heap or stack: a list that allocates nothing, a stack probe. Knows the JDK alone. */
@NullMarked
package dev.buffers.internal.failsafe;

import org.jspecify.annotations.NullMarked;
