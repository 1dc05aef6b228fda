/** Tomcat's NIO connector on the pool. */
@NullMarked
package dev.buffers.tomcat;

import org.jspecify.annotations.NullMarked;
