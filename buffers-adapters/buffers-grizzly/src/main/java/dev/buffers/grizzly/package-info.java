/** The pool as Grizzly's. */
@NullMarked
package dev.buffers.grizzly;

import org.jspecify.annotations.NullMarked;
