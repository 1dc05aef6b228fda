// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.grizzly;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLConnection;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import org.glassfish.grizzly.http.CompressionConfig.CompressionMode;
import org.glassfish.grizzly.http.server.HttpHandler;
import org.glassfish.grizzly.http.server.HttpServer;
import org.glassfish.grizzly.http.server.NetworkListener;
import org.glassfish.grizzly.http.server.Request;
import org.glassfish.grizzly.http.server.Response;
import org.glassfish.grizzly.memory.MemoryManager;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The set-up as the manual shows it, and the one without code: that default is static and needs a separate JVM. */
class GrizzlySetUpTest {
    private static final HttpHandler HELLO = new HttpHandler() {
        @Override
        public void service(Request request, Response response) throws IOException {
            response.getWriter().write("hello");
        }
    };

    @Test
    void theServerUsesThePool() throws Exception {
        HttpHandler handler = HELLO;
        GrizzlyMemoryManager memory = new GrizzlyMemoryManager();
        NetworkListener listener = new NetworkListener("http", "localhost", 0);
        listener.getTransport().setMemoryManager(memory);
        listener.registerAddOn(new ReleasingAddOn());
        HttpServer server = new HttpServer();
        server.addListener(listener);
        server.getServerConfiguration().addHttpHandler(handler, "/");
        server.start();
        try (memory) {
            assertArrayEquals(
                    "hello".getBytes(US_ASCII), get(listener).getInputStream().readAllBytes());
            assertFalse(memory.heapPool().stats().sizeClasses().isEmpty());
        } finally {
            server.shutdownNow();
        }
        assertEquals(0, memory.heapPool().stats().leases());
    }

    private static URLConnection get(NetworkListener listener) throws IOException {
        URLConnection connection =
                URI.create("http://localhost:" + listener.getPort()).toURL().openConnection();
        connection.setRequestProperty("Connection", "close");
        return connection;
    }

    /** The program of the JVM without set-up code: prints which manager Grizzly took, and serves a compressed answer. */
    public static void main(String[] arguments) throws Exception {
        NetworkListener listener = new NetworkListener("http", "localhost", 0);
        listener.getCompressionConfig().setCompressionMode(CompressionMode.FORCE);
        HttpServer server = new HttpServer();
        server.addListener(listener);
        server.getServerConfiguration().addHttpHandler(HELLO, "/");
        server.start();
        URLConnection connection = get(listener);
        connection.setRequestProperty("Accept-Encoding", "gzip");
        try (InputStream in = new GZIPInputStream(connection.getInputStream())) {
            say(new String(in.readAllBytes(), UTF_8));
        }
        MemoryManager<?> memory = listener.getTransport().getMemoryManager();
        say(memory.getClass().getSimpleName());
        if (memory instanceof GrizzlyMemoryManager ours) {
            say(ours.pool().settings().policy().name());
            say("used=" + !ours.heapPool().stats().sizeClasses().isEmpty());
        }
        server.shutdownNow();
    }

    private static void say(String line) throws IOException {
        System.out.write((line + "\n").getBytes(UTF_8));
        System.out.flush();
    }

    private static String run(String... properties) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Dorg.glassfish.grizzly.DEFAULT_MEMORY_MANAGER=dev.buffers.grizzly.GrizzlyMemoryManager");
        command.addAll(List.of(properties));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), GrizzlySetUpTest.class.getName()));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertTrue(process.waitFor(60, TimeUnit.SECONDS));
        assertEquals(0, process.exitValue(), output);
        assertTrue(output.contains("hello\n"), output);
        return output;
    }

    @Tag("full")
    @Test
    void grizzlyPropertySelectsManager() throws Exception {
        String output = run("-Dbuffers.grizzly.policy=heap-view");
        assertTrue(output.contains("GrizzlyMemoryManager\nheap-view\nused=true\n"), output);
        output = run();
        assertTrue(output.contains("GrizzlyMemoryManager\ndirect-view\nused=true\n"), output);
    }

    @Tag("full")
    @Test
    void grizzlyLogsInvalidSettingAndUsesItsDefault() throws Exception {
        String output = run("-Dbuffers.grizzly.max=many");
        assertTrue(output.contains("HeapMemoryManager\n"), output);
        assertTrue(output.contains("buffers.grizzly.max"), output);
    }

    /** With grizzly-framework-monitoring, which registers the object and adds a probe; without that artifact there is no such object. */
    @Test
    void grizzlyShowsManagerOverJmx() {
        try (GrizzlyMemoryManager memory = GrizzlyMemoryManager.create("shown")) {
            var shown = assertInstanceOf(
                    org.glassfish.grizzly.memory.jmx.MemoryManager.class,
                    memory.getMonitoringConfig().createManagementObject());
            assertEquals(GrizzlyMemoryManager.class.getName(), shown.getMemoryManagerType());
        }
    }
}
