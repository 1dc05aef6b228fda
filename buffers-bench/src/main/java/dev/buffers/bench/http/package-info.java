/**
 * A small HTTP/1.1 server of static files, written the way a user of the pool would write it.
 *
 * <p>From the wire inwards: {@link dev.buffers.bench.http.HttpServer} accepts, a {@code Worker} selects, a {@code Connection}
 * reads requests and sends responses, and a {@link dev.buffers.bench.http.BufferSource} says where the bytes live.
 * {@link dev.buffers.bench.http.VirtualHttpServer} gives each connection a virtual thread instead, to be compared with.
 */
@NullMarked
package dev.buffers.bench.http;

import org.jspecify.annotations.NullMarked;
