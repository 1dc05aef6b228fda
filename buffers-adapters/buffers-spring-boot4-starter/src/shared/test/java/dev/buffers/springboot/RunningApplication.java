// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.springboot;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** An application that listens on loopback, at a separate port. */
final class RunningApplication implements AutoCloseable {
    private final ConfigurableApplicationContext context;
    private final HttpClient client;
    private final String scheme;

    private RunningApplication(ConfigurableApplicationContext context, HttpClient.Builder client, String scheme) {
        this.context = context;
        this.client = client.version(HttpClient.Version.HTTP_1_1).build();
        this.scheme = scheme;
    }

    static RunningApplication start(String property, String... more) {
        return start(List.of(TestApplication.class), property, more);
    }

    /** With these properties, which are as strong as those of the command line. */
    static RunningApplication start(List<Class<?>> sources, String property, String... more) {
        return new RunningApplication(
                new SpringApplicationBuilder(sources.toArray(new Class<?>[0])).run(arguments(property, more)),
                HttpClient.newBuilder(),
                "http");
    }

    /** What the command line of an application has. */
    static String[] arguments(String property, String... more) {
        Stream<String> usual = Stream.of(
                "server.port=0",
                "server.address=127.0.0.1",
                "management.endpoints.web.exposure.include=*",
                "management.endpoint.health.show-details=always",
                "spring.main.banner-mode=off",
                "logging.level.root=WARN",
                "logging.level.dev.buffers=INFO");
        return Stream.of(usual, Stream.of(property), Stream.of(more))
                .flatMap(each -> each)
                .map(each -> "--" + each)
                .toArray(String[]::new);
    }

    /** The same application, over TLS. */
    RunningApplication trusting(SSLContext tls) {
        return new RunningApplication(context, HttpClient.newBuilder().sslContext(tls), "https");
    }

    ConfigurableApplicationContext context() {
        return context;
    }

    ServerBufferPools pools() {
        return context.getBean(ServerBufferPools.class);
    }

    String get(String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(uri(path)).build();
        return client.send(request, BodyHandlers.ofString()).body();
    }

    int status(String path) throws IOException, InterruptedException {
        return response(path).statusCode();
    }

    HttpResponse<String> response(String path) throws IOException, InterruptedException {
        return client.send(HttpRequest.newBuilder(uri(path)).build(), BodyHandlers.ofString());
    }

    CompletableFuture<HttpResponse<String>> begin(String path) {
        return client.sendAsync(HttpRequest.newBuilder(uri(path)).build(), BodyHandlers.ofString());
    }

    /** Posts an empty object of JSON. */
    String post(String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(uri(path))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{}"))
                .build();
        return client.send(request, BodyHandlers.ofString()).body();
    }

    byte[] echo(byte[] body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(uri("/echo"))
                .header("Content-Type", "application/octet-stream")
                .POST(BodyPublishers.ofByteArray(body))
                .build();
        HttpResponse<byte[]> response = client.send(request, BodyHandlers.ofByteArray());
        if (response.statusCode() != 200) {
            throw new IOException("status " + response.statusCode());
        }
        return response.body();
    }

    private URI uri(String path) {
        return URI.create(scheme + "://127.0.0.1:" + port() + path);
    }

    int port() {
        return context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
    }

    @Override
    public void close() {
        context.close();
    }
}
