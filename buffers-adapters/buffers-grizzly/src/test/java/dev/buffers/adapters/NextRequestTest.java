// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.adapters;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.grizzly.ReleasingAddOn;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import org.glassfish.grizzly.ReadHandler;
import org.glassfish.grizzly.http.HttpCodecFilter;
import org.glassfish.grizzly.http.HttpHeader;
import org.glassfish.grizzly.http.HttpProbe;
import org.glassfish.grizzly.http.io.NIOInputStream;
import org.glassfish.grizzly.http.server.HttpHandler;
import org.glassfish.grizzly.http.server.NetworkListener;
import org.glassfish.grizzly.http.server.Request;
import org.glassfish.grizzly.http.server.Response;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requests that come while the one before, whose body was read with a listener, has not ended yet. */
@Tag("full")
class NextRequestTest {
    private static final String PATH = "/one";
    private static final String FIRST = "a".repeat(10);
    private static final String SECOND = "b".repeat(10);
    private static final String THIRD = "c".repeat(10);
    private static final int PATIENCE_SECONDS = 60;
    private static final int A_WHILE_SECONDS = 2;

    @TempDir
    Path folder;

    /**
     * {@code InputBuffer.invokeHandler} tells the listener of the last bytes before it knows that they are the last. A listener that then
     * waits for more turns the connection's reading on, and the next request gets into the one that is suspended: it has no answer.
     */
    @Test
    void requestBehindUploadHasNoAnswer() throws Exception {
        for (Protocol protocol : List.of(Protocol.HTTP, Protocol.HTTPS)) {
            assertEquals(List.of(THIRD), answers(protocol, listener -> {}, PATIENCE_SECONDS), protocol::name);
        }
    }

    @Test
    void addOnAnswersEachRequest() throws Exception {
        for (Protocol protocol : List.of(Protocol.HTTP, Protocol.HTTPS)) {
            assertEquals(
                    List.of(SECOND, THIRD),
                    answers(protocol, listener -> listener.registerAddOn(new ReleasingAddOn()), A_WHILE_SECONDS),
                    protocol::name);
        }
    }

    /** To two requests that a client sends together, as soon as it has the answer to an upload, which ends only then. */
    private List<String> answers(Protocol protocol, Consumer<NetworkListener> more, int seconds) throws Exception {
        CountDownLatch suspended = new CountDownLatch(1);
        CountDownLatch ends = new CountDownLatch(1);
        CountDownLatch heads = new CountDownLatch(2);
        HttpHandler handler = new HttpHandler() {
            @Override
            public void service(Request request, Response response) throws Exception {
                if (request.getQueryString() == null) {
                    write(response, request.getInputStream().readAllBytes());
                    return;
                }
                response.suspend();
                upload(request.getNIOInputStream(), response, ends);
                suspended.countDown();
            }
        };
        Consumer<NetworkListener> all = listener -> {
            more.accept(listener);
            listener.registerAddOn(
                    (same, chain) -> ((HttpCodecFilter) chain.get(chain.indexOfType(HttpCodecFilter.class)))
                            .getMonitoringConfig()
                            .addProbes(heads(heads)));
        };
        SSLContext tls = Certificate.context();
        try (GrizzlyServer server = new GrizzlyServer(folder, tls, null, all)) {
            server.add(handler, PATH);
            try (Connection connection = new Client(server, tls).connect(protocol, 5_000)) {
                connection.write(head(PATH + "?upload", FIRST));
                assertTrue(suspended.await(PATIENCE_SECONDS, TimeUnit.SECONDS));
                connection.write(FIRST);
                assertEquals(FIRST, new String(connection.readAnswer(), StandardCharsets.US_ASCII));
                connection.write(head(PATH, SECOND) + SECOND + head(PATH, THIRD) + THIRD);
                heads.await(seconds, TimeUnit.SECONDS);
                Thread.sleep(200);
                ends.countDown();
                List<String> answers = new ArrayList<>();
                try {
                    for (int i = 0; i < 2; i++) {
                        answers.add(new String(connection.readAnswer(), StandardCharsets.US_ASCII));
                    }
                } catch (IOException e) {
                    // no more
                }
                return answers;
            }
        }
    }

    private static HttpProbe heads(CountDownLatch heads) {
        return new HttpProbe.Adapter() {
            @Override
            @SuppressWarnings("rawtypes") // Grizzly declares the method so
            public void onHeaderParseEvent(org.glassfish.grizzly.Connection connection, HttpHeader header, int size) {
                heads.countDown();
            }
        };
    }

    private static String head(String path, String body) {
        return "POST " + path + " HTTP/1.1\r\nHost: h\r\nContent-Length: " + body.length() + "\r\n\r\n";
    }

    private static void write(Response response, byte[] body) throws IOException {
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
        response.getOutputStream().flush();
    }

    private static void upload(NIOInputStream in, Response response, CountDownLatch ends) {
        in.notifyAvailable(new ReadHandler() {
            private final StringBuilder body = new StringBuilder();
            private volatile boolean answered;

            @Override
            public void onDataAvailable() throws Exception {
                if (!answered) { // else Grizzly has bytes of the next request
                    read();
                    in.notifyAvailable(this);
                }
            }

            private void read() throws IOException {
                body.append(new String(in.readNBytes(in.readyData()), StandardCharsets.US_ASCII));
            }

            @Override
            public void onAllDataRead() throws Exception {
                if (answered) {
                    return;
                }
                answered = true;
                read();
                write(response, body.toString().getBytes(StandardCharsets.US_ASCII));
                new Thread(() -> {
                            try {
                                ends.await();
                            } catch (InterruptedException e) {
                                return;
                            }
                            response.resume();
                        })
                        .start();
            }

            @Override
            public void onError(Throwable problem) {
                response.resume();
            }
        });
    }
}
