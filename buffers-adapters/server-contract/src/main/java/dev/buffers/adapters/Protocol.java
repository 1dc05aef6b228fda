// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.adapters;

import java.net.URI;
import java.net.http.HttpClient;

/** How a request travels. */
public enum Protocol {
    /** HTTP/1.1 in the clear. */
    HTTP(HttpClient.Version.HTTP_1_1),
    /** HTTP/1.1 with TLS. */
    HTTPS(HttpClient.Version.HTTP_1_1),
    /** HTTP/2 with TLS. */
    HTTP2(HttpClient.Version.HTTP_2);

    private final HttpClient.Version version;

    Protocol(HttpClient.Version version) {
        this.version = version;
    }

    HttpClient.Version version() {
        return version;
    }

    boolean tls() {
        return this != HTTP;
    }

    URI base(ServerUnderTest server) {
        return tls() ? server.https() : server.http();
    }
}
