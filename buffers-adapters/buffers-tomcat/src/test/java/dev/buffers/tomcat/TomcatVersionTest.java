// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.apache.catalina.util.ServerInfo;
import org.junit.jupiter.api.Test;

/** All these tests run twice, on Tomcat 10.1 and on 11.0: here is that they do. */
class TomcatVersionTest {
    @Test
    void serverInfoNamesVersionOfBuild() {
        assertEquals("Apache Tomcat/" + System.getProperty("tomcat.version"), ServerInfo.getServerInfo());
    }
}
