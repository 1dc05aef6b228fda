/** What goes on working when the heap or a stack is full: a lock and a list that allocate nothing, and a probe for room on the stack. Knows the JDK alone. */
@NullMarked
package dev.buffers.internal.failsafe;

import org.jspecify.annotations.NullMarked;
