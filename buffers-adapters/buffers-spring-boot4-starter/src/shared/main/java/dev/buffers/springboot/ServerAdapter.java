// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.springboot;

import org.springframework.boot.web.server.WebServerFactory;

/** Puts one kind of embedded server on the pools. */
interface ServerAdapter {

    /**
     * True when the factory makes servers of this kind, and will put them on the pools.
     *
     * @param started to be called when it has put one on them
     */
    boolean adapt(WebServerFactory factory, ServerBufferPools pools, Runnable started);
}
