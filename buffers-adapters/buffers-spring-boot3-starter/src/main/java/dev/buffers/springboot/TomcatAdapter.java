// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.springboot;

import java.lang.reflect.Field;
import java.util.function.Consumer;
import org.springframework.boot.web.embedded.tomcat.ConfigurableTomcatWebServerFactory;
import org.springframework.boot.web.embedded.tomcat.TomcatReactiveWebServerFactory;
import org.springframework.boot.web.embedded.tomcat.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactory;
import org.springframework.util.ReflectionUtils;

/** Tomcat 10.1, as Boot 3.5 embeds it, unless the application has chosen a protocol: the factory shows that in a private field alone. */
final class TomcatAdapter implements ServerAdapter {
    @Override
    public boolean adapt(WebServerFactory factory, ServerBufferPools pools, Runnable started) {
        if (factory instanceof TomcatServletWebServerFactory servlet) {
            return adapt(servlet, TomcatServletWebServerFactory.class, servlet::setProtocol, pools, started);
        }
        if (factory instanceof TomcatReactiveWebServerFactory reactive) {
            return adapt(reactive, TomcatReactiveWebServerFactory.class, reactive::setProtocol, pools, started);
        }
        return false;
    }

    private static boolean adapt(
            ConfigurableTomcatWebServerFactory factory,
            Class<?> type,
            Consumer<String> setProtocol,
            ServerBufferPools pools,
            Runnable started) {
        Field field = protocolOf(type);
        ReflectionUtils.makeAccessible(field);
        Object protocol = ReflectionUtils.getField(field, factory);
        if (TomcatServletWebServerFactory.DEFAULT_PROTOCOL.equals(protocol)) {
            setProtocol.accept(TomcatConnectors.PROTOCOL);
        } else if (!TomcatConnectors.PROTOCOL.equals(protocol)) {
            return false;
        }
        factory.addConnectorCustomizers(connector -> TomcatConnectors.put(connector, pools, started));
        return true;
    }

    static Field protocolOf(Class<?> factory) {
        Field field = ReflectionUtils.findField(factory, "protocol", String.class);
        if (field == null) {
            throw new IllegalStateException(factory + " has no such field: name=protocol");
        }
        return field;
    }
}
