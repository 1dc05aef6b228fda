// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.load;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Puts one load after another on web servers of the loopback interface that all serve the same documents.
 *
 * @param name of the server, for messages
 * @param tls for HTTPS
 */
public record HttpLoad(
        Documents documents, String name, @Nullable SSLContext tls) {
    /** A closed loop over connections that stay. */
    public static final String STAYING = "staying";

    /** As it was measured in 2007: 1,000 requests over 600 connections, opening them included, once over in each slice. */
    public static final String SHORT_LIVED = "short-lived";

    /** An open loop over connections that stay: what counts is the latency. */
    public static final String OPEN = "open";

    private static final int FEW = 64;
    private static final int MANY = 600;
    private static final int REQUESTS = 1000;
    private static final Duration LIMIT = Duration.ofSeconds(10);

    /** Far below what any of the servers can do, and the same for all. */
    private static final double RATE = 2000;

    /** On servers without a name. */
    public HttpLoad(Documents documents) {
        this(documents, "server", null);
    }

    /**
     * Runs a plan against the server at {@code port}, and returns when all connections are closed again.
     *
     * @throws IOException when an answer was wrong, missing or cut short
     */
    public LoadResult run(LoadPlan plan, int port) throws IOException, InterruptedException {
        try (LoadSession session = session(plan, port)) {
            return session.run(plan.time());
        }
    }

    /** The kind of load that the cell of a comparison names, one slice after another. */
    public LoadSession session(String work, Map<String, String> parameters, int port)
            throws IOException, InterruptedException {
        int few = Integer.parseInt(parameters.getOrDefault("connections", String.valueOf(FEW)));
        LoadPlan plan = switch (work) {
            case STAYING -> LoadPlan.closed(few, LIMIT);
            case SHORT_LIVED -> LoadPlan.closed(MANY, LIMIT).timingConnects().withMaxResponses(REQUESTS);
            case OPEN -> LoadPlan.open(few, LIMIT, RATE);
            default -> throw new IllegalArgumentException("no such load: " + work);
        };
        return session(plan, port);
    }

    private LoadSession session(LoadPlan plan, int port) throws IOException, InterruptedException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        return new LoadSession(plan, name + ", port=" + port, thread -> {
            Requests requests = new Requests(documents, address, thread);
            return (selector, id) -> new HttpClient(selector, address, requests, tls);
        });
    }
}
