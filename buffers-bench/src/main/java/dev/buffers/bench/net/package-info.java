/** What the bench's servers have in common: how they listen, accept, close, and log when next to nothing is left to log with. */
@NullMarked
package dev.buffers.bench.net;

import org.jspecify.annotations.NullMarked;
