/** The pool as Jetty's. */
@NullMarked
package dev.buffers.jetty;

import org.jspecify.annotations.NullMarked;
