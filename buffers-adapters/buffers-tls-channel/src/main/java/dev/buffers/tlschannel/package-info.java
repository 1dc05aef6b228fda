/** The pool as TLS Channel's allocator of buffers. */
@NullMarked
package dev.buffers.tlschannel;

import org.jspecify.annotations.NullMarked;
