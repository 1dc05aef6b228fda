// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.frameworks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import org.apache.catalina.connector.Connector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The attributes of the connector that a user gives. */
class EmbeddedTomcatTest {
    @AfterEach
    void clear() {
        System.clearProperty(WaitingContestant.CONNECTOR);
    }

    private static Connector connector(boolean ours) {
        EmbeddedTomcat.Connection connection = EmbeddedTomcat.Connection.create(ours, null);
        connection.pools().forEach(BufferPool::close);
        return connection.connector();
    }

    @Test
    void bothSidesHaveAttributesOfUser() {
        System.setProperty(
                WaitingContestant.CONNECTOR, "responseBufferSize=1024,useAsyncIO=false,maxHttpRequestHeaderSize=4096");
        for (boolean ours : new boolean[] {false, true}) {
            Connector connector = connector(ours);
            assertEquals(4096, connector.getProperty("maxHttpRequestHeaderSize"));
            assertEquals("false", String.valueOf(connector.getProperty("useAsyncIO")));
        }
        assertEquals(1024, connector(true).getProperty("responseBufferSize"));
    }

    @Test
    void unknownAttributeIsRefused() {
        System.setProperty(WaitingContestant.CONNECTOR, "responseBuferSize=1024");
        String problem = assertThrows(IllegalArgumentException.class, () -> connector(true))
                .getMessage();
        assertTrue(problem.endsWith(": responseBuferSize"), problem);
    }
}
