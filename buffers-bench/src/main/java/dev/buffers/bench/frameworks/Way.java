// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.frameworks;

import dev.buffers.bench.jvm.VirtualThreads;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A way in which a client's connection waits for hours. Its name in options and reports has dashes: {@code keep-alive}. */
public enum Way {
    /** Between two requests of HTTP/1.1. */
    KEEP_ALIVE,
    /** A WebSocket after one message, and its answer. */
    WEBSOCKET,
    /** The same, compressed. */
    WEBSOCKET_DEFLATE,
    /** An answer of server-sent events, after the first event. */
    SSE,
    /** A request that the server has not answered yet. */
    LONG_POLL,
    /** A request whose client has sent a part of the body; the server reads it with a listener. */
    UPLOAD,
    /** The same; a virtual thread of the server waits in a read. */
    UPLOAD_BLOCKING,
    /** An answer whose client has read the head, and reads no further. */
    DOWNLOAD,
    /** A connection of HTTP/2 without an open stream. */
    HTTP2,
    /** The same with a stream of server-sent events, after the first event. */
    HTTP2_SSE;

    /** The servers, as options and reports name them. */
    public static final List<String> SERVERS = List.of("tomcat", "jetty", "undertow", "grizzly", "nio");

    /** The ways in which a connection goes on and waits again, as often as its client likes. */
    public static final List<Way> EXCHANGING = List.of(KEEP_ALIVE, WEBSOCKET);

    static Way named(String text) {
        return valueOf(text.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    /** Its name. */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    boolean isHttp2() {
        return this == HTTP2 || this == HTTP2_SSE;
    }

    /** Why a server's connection cannot wait in this way here; empty when it can. */
    public Optional<String> obstacle(String server) {
        if (this == UPLOAD_BLOCKING && VirtualThreads.obstacle().isPresent()) {
            return VirtualThreads.obstacle();
        }
        if (server.equals("nio")) {
            return this == KEEP_ALIVE || this == DOWNLOAD
                    ? Optional.empty()
                    : Optional.of("this server only sends files");
        }
        if (server.equals("grizzly") && this == DOWNLOAD) {
            return Optional.of("Grizzly queues whole downloads, with TLS all of them, and does not stall then");
        }
        if (server.equals("grizzly") && this == WEBSOCKET_DEFLATE) {
            return Optional.of("Grizzly's WebSockets are not compressed");
        }
        return Optional.empty();
    }
}
