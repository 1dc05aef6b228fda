/** What a server must do on our pool, whatever its framework. */
@NullMarked
package dev.buffers.adapters;

import org.jspecify.annotations.NullMarked;
