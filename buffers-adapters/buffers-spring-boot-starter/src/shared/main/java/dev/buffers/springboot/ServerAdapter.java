package dev.buffers.springboot;

import org.springframework.boot.web.server.WebServerFactory;

/** Puts one kind of embedded server on the pools. */
interface ServerAdapter {

    /** True when the factory makes servers of this kind, and will put them on the pools. */
    boolean adapt(WebServerFactory factory, ServerBufferPools pools);
}
