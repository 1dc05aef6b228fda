/** Round trips between two JVMs. */
@NullMarked
package dev.buffers.bench.sockets;

import org.jspecify.annotations.NullMarked;
