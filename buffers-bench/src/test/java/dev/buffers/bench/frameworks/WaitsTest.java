// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.frameworks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each way to wait, on each server that has it. */
class WaitsTest {
    private static final int CONNECTIONS = 20;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(300);

    /** They would tell of each client that leaves. */
    private static final Logger ALL = Logger.getLogger("");

    private static @Nullable Tls keys;

    static {
        ALL.setLevel(Level.SEVERE);
    }

    @Test
    void eachServerThatLacksWaySaysWhy() {
        assertEquals(
                List.of("keep-alive", "download"),
                Arrays.stream(Way.values())
                        .filter(way -> way.obstacle("nio").isEmpty())
                        .map(Way::text)
                        .toList());
        assertTrue(Way.WEBSOCKET_DEFLATE.obstacle("grizzly").isPresent());
        assertTrue(Way.DOWNLOAD.obstacle("grizzly").isPresent());
        for (Way way : Way.values()) {
            assertEquals(way, Way.named(way.text()));
        }
    }

    static Stream<Arguments> waits() {
        return Way.SERVERS.stream()
                .flatMap(server -> Arrays.stream(Way.values())
                        .filter(way -> way.obstacle(server).isEmpty())
                        .flatMap(way -> Stream.of(false, true).map(secure -> Arguments.of(server, way, secure))));
    }

    @Tag("full")
    @ParameterizedTest
    @MethodSource("waits")
    void connectionsWaitAndGoOn(String server, Way way, boolean secure) throws Exception {
        Waiters waiters = new Waiters();
        Tls tls = secure ? keys() : null;
        try (Embedded embedded = WaitingProgram.start(server, way, true, tls, waiters)) {
            SSLSocketFactory client = secure ? Tls.client().getSocketFactory() : null;
            Waits waits = Waits.of(way);
            List<Wire> wires = open(embedded.port(), client, waits, CONNECTIONS);
            long end = System.nanoTime() + PATIENCE_NANOS;
            while (!waits.areWaiting(waiters.count(), CONNECTIONS)) {
                assertTrue(System.nanoTime() - end < 0, () -> waiters.count().toString());
                Thread.onSpinWait();
            }
            waiters.publish();
            end(wires, waits);
            Waits anew = Waits.of(Way.KEEP_ALIVE);
            end(open(embedded.port(), client, anew, 1), anew);
        }
    }

    private static synchronized Tls keys() throws Exception {
        if (keys == null) {
            keys = Tls.create();
        }
        return keys;
    }

    private static List<Wire> open(int port, @Nullable SSLSocketFactory client, Waits waits, int count)
            throws IOException {
        List<Wire> wires = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Wire wire = Wire.connect(port, client, waits.protocol());
            wires.add(wire);
            waits.begin(wire);
        }
        return wires;
    }

    private static void end(List<Wire> wires, Waits waits) throws IOException {
        for (Wire wire : wires) {
            waits.end(wire);
            wire.close();
        }
    }
}
