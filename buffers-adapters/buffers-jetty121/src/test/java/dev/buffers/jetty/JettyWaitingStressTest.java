// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.jetty;

import dev.buffers.BufferPool;
import dev.buffers.LeakTracking;
import dev.buffers.adapters.Protocol;
import dev.buffers.adapters.ServerUnderTest;
import dev.buffers.adapters.StampedServlet;
import dev.buffers.adapters.Stamps;
import dev.buffers.adapters.WaitingStressContract;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;

/**
 * The stress on Jetty's servlets. Without {@link Stamps.Way#LATE}: Jetty gives the response of an exchange whose time is over to the next
 * one, so a servlet that still writes to it writes into the answer of another request, on Jetty's own buffers too.
 */
@Tag("full")
class JettyWaitingStressTest extends WaitingStressContract {
    @Override
    protected ServerUnderTest start(Path folder, SSLContext tls, Buffers buffers, Stamps stamps) throws Exception {
        ServletHolder servlet = new ServletHolder(new StampedServlet(stamps));
        servlet.setAsyncSupported(true);
        ServletContextHandler servlets = new ServletContextHandler();
        servlets.setContextPath("/stamped");
        servlets.addServlet(servlet, "/*");
        Handler.Wrapper before = new Handler.Wrapper() {
            @Override
            public void setHandler(Handler handler) {
                super.setHandler(new Handler.Sequence(servlets, handler));
            }
        };
        return new JettyServer(pool(buffers), new QueuedThreadPool(), before, folder, tls);
    }

    /** At its cap not over HTTP/2, where Jetty loses buffers then: {@link WhatJettyLosesAtItsCapTest}. */
    @Override
    protected List<Protocol> protocols(Buffers buffers) {
        return buffers == Buffers.SMALL_POOL ? List.of(Protocol.HTTP, Protocol.HTTPS) : super.protocols(buffers);
    }

    @Override
    protected List<Stamps.Way> ways(Protocol protocol) {
        List<Stamps.Way> ways = new ArrayList<>(super.ways(protocol));
        ways.remove(Stamps.Way.LATE);
        return ways;
    }

    private static @Nullable JettyBufferPool pool(Buffers buffers) {
        if (buffers == Buffers.OWN) {
            return null;
        }
        BufferPool.Builder direct = buffers.settings(BufferPool.builder("jetty").leaks(LeakTracking.all()));
        BufferPool.Builder heap = buffers.settings(
                        BufferPool.builder("jetty-heap").leaks(LeakTracking.all()))
                .policy("heap");
        return JettyBufferPool.of(direct.build(), heap.build());
    }
}
