/** What the bench needs of JVMs: another one to run a server in, and virtual threads where there are any. */
@NullMarked
package dev.buffers.bench.jvm;

import org.jspecify.annotations.NullMarked;
