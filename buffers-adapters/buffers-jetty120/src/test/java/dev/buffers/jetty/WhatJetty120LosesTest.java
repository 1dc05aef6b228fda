// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.jetty;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import org.eclipse.jetty.io.ArrayByteBufferPool;
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.Test;

/** In addition, a buffer that Jetty 12.0 does not release and 12.1 does. */
class WhatJetty120LosesTest {
    private static final byte[] SOME = new byte[1000];

    @Test
    void streamClosedAfterFailureLosesBuffer() throws Exception {
        ArrayByteBufferPool.Tracking theirs = new ArrayByteBufferPool.Tracking();
        closeAfterFailure(theirs);
        WhatJettyLosesTest.eventually(() -> !theirs.getLeaks().isEmpty());
        try (JettyBufferPool ours = JettyBufferPool.create()) {
            closeAfterFailure(ours);
            WhatJettyLosesTest.isCountedLost(ours);
        }
    }

    private static void closeAfterFailure(ByteBufferPool pool) throws Exception {
        Server server = new Server(null, null, pool);
        CountDownLatch closed = new CountDownLatch(1);
        URI uri = WhatJettyLosesTest.start(server, new Handler.Abstract() {
            @Override
            public boolean handle(Request request, Response response, Callback callback) {
                try (OutputStream out = Response.asBufferedOutputStream(request, response)) {
                    while (true) {
                        out.write(SOME);
                    }
                } catch (IOException clientHasLeft) {
                    closed.countDown();
                    callback.failed(clientHasLeft);
                }
                return true;
            }
        });
        try (Socket socket = new Socket(uri.getHost(), uri.getPort())) {
            socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: h\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            assertEquals('H', socket.getInputStream().read());
            socket.setSoLinger(true, 0);
        }
        closed.await();
        server.stop();
    }
}
