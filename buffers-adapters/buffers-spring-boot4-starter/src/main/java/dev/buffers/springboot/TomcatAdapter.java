// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.springboot;

import org.springframework.boot.tomcat.TomcatWebServerFactory;
import org.springframework.boot.web.server.WebServerFactory;

/** Tomcat 11, as Boot 4 embeds it, unless the application has chosen a protocol. */
final class TomcatAdapter implements ServerAdapter {
    @Override
    public boolean adapt(WebServerFactory factory, ServerBufferPools pools, Runnable started) {
        if (!(factory instanceof TomcatWebServerFactory tomcat)) {
            return false;
        }
        if (tomcat.getProtocol().equals(TomcatWebServerFactory.DEFAULT_PROTOCOL)) {
            tomcat.setProtocol(TomcatConnectors.PROTOCOL);
        } else if (!tomcat.getProtocol().equals(TomcatConnectors.PROTOCOL)) {
            return false;
        }
        tomcat.addConnectorCustomizers(connector -> TomcatConnectors.put(connector, pools, started));
        return true;
    }
}
