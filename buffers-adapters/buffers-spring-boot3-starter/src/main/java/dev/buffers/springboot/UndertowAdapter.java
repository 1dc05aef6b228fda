package dev.buffers.springboot;

import dev.buffers.undertow.UndertowBufferPool;
import org.springframework.boot.web.embedded.undertow.ConfigurableUndertowWebServerFactory;
import org.springframework.boot.web.server.WebServerFactory;

/** Undertow 2.3, as Boot 3.5 embeds it. {@code server.undertow.buffer-size} and {@code direct-buffers} have no effect then. */
final class UndertowAdapter implements ServerAdapter {
    @Override
    public boolean adapt(WebServerFactory factory, ServerBufferPools pools) {
        if (!(factory instanceof ConfigurableUndertowWebServerFactory undertow)) {
            return false;
        }
        UndertowBufferPool pool =
                UndertowBufferPool.of(pools.pool(), pools.heapPool(), UndertowBufferPool.DEFAULT_BUFFER_SIZE);
        undertow.addBuilderCustomizers(builder -> builder.setByteBufferPool(pool));
        return true;
    }
}
