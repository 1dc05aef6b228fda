/** Round trips between two JVMs. */
@NullMarked
package dev.buffers.bench.claims.sockets;

import org.jspecify.annotations.NullMarked;
