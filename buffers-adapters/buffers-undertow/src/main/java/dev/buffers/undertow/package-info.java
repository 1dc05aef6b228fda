/** The pool as Undertow's. */
@NullMarked
package dev.buffers.undertow;

import org.jspecify.annotations.NullMarked;
