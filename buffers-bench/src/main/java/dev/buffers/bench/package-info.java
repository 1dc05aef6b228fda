/** The command line, the static-file server, and the load generator that compares the policies. */
@NullMarked
package dev.buffers.bench;

import org.jspecify.annotations.NullMarked;
