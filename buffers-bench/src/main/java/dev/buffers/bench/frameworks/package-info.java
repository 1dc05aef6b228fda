/** Frameworks with their own pools and with this one: the same servers, the same load. */
@NullMarked
package dev.buffers.bench.frameworks;

import org.jspecify.annotations.NullMarked;
