/**
 * A buffer pool as Jetty 12.1 wants it: {@link dev.buffers.jetty.JettyBufferPool}.
 *
 * <p><b>Jetty's cache.</b> A {@code ResourceHandler} keeps the files that it has served in buffers of the server's pool, up to 256 MiB of
 * them: they are leases until they are evicted, and count under the cap. {@code setMaxCacheSize} of its {@code getHttpContentFactory()}
 * bounds them.
 *
 * <p><b>What Jetty loses</b>, from whatever pool its buffers are: the answer of a client that closes its stream early; a binary web
 * socket message that Jetty puts together, when the sender vanishes halfway; and an HTTP/2 header block that has not ended when its
 * connection does, which any client can bring about, once for each connection. This pool counts such a lease as lost, and
 * has its memory again once the collector has taken it; the cap holds in the meantime.
 */
@NullMarked
package dev.buffers.jetty;

import org.jspecify.annotations.NullMarked;
