// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.springboot;

import dev.buffers.undertow.ReleasingHandler;
import dev.buffers.undertow.UndertowBufferPool;
import io.undertow.UndertowOptions;
import org.springframework.boot.web.embedded.undertow.ConfigurableUndertowWebServerFactory;
import org.springframework.boot.web.embedded.undertow.UndertowServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactory;

/** Undertow 2.3, as Boot 3.5 embeds it. {@code server.undertow.buffer-size} and {@code direct-buffers} have no effect then. */
final class UndertowAdapter implements ServerAdapter {
    @Override
    public boolean adapt(WebServerFactory factory, ServerBufferPools pools, Runnable started) {
        if (!(factory instanceof ConfigurableUndertowWebServerFactory undertow)) {
            return false;
        }
        UndertowBufferPool pool =
                UndertowBufferPool.of(pools.pool(), pools.heapPool(), UndertowBufferPool.DEFAULT_BUFFER_SIZE);
        undertow.addBuilderCustomizers(builder -> {
            builder.setByteBufferPool(pool).setServerOption(UndertowOptions.BUFFER_PIPELINED_DATA, false);
            started.run();
        });
        if (factory instanceof UndertowServletWebServerFactory servlets) {
            servlets.addDeploymentInfoCustomizers(
                    deployment -> deployment.addInitialHandlerChainWrapper(ReleasingHandler::new));
        }
        return true;
    }
}
