// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.grizzly;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.glassfish.grizzly.http.server.CLStaticHttpHandler;
import org.glassfish.grizzly.http.server.HttpServer;
import org.glassfish.grizzly.http.server.NetworkListener;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Files out of a jar on the class path, from a real server, as each memory manager has them. */
@Tag("full")
class ClassPathFilesTest {
    private static final int[] SIZES = {
        1, 100, 4095, 4096, 5000, 8191, 8192, 8193, 10_000, 16_384, 20_000, 32_768, 33_000, 65_536, 65_537, 300_000
    };

    @TempDir
    Path folder;

    private interface Body {
        void run(URI server) throws Exception;
    }

    private static byte[] content(int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return bytes;
    }

    private void serve(Subject subject, int readBufferSize, Body body) throws Exception {
        Path jar = folder.resolve("files.jar");
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream entries = new JarOutputStream(out)) {
            for (int size : SIZES) {
                entries.putNextEntry(new JarEntry("web/" + size + ".bin"));
                entries.write(content(size));
            }
        }
        try (URLClassLoader classes = new URLClassLoader(new URL[] {jar.toUri().toURL()}, null)) {
            subject.run(memory -> {
                HttpServer server = new HttpServer();
                NetworkListener listener = new NetworkListener("http", "127.0.0.1", 0);
                listener.getTransport().setMemoryManager(memory);
                listener.getTransport().setReadBufferSize(readBufferSize);
                listener.registerAddOn(new ReleasingAddOn());
                server.addListener(listener);
                server.getServerConfiguration().addHttpHandler(new CLStaticHttpHandler(classes, "web/"), "/");
                server.start();
                try {
                    body.run(URI.create("http://127.0.0.1:" + listener.getPort()));
                    Subject.leasesAreBack(memory);
                } finally {
                    server.shutdownNow();
                }
            });
        }
    }

    private static byte[] get(URI server, int size) throws IOException, InterruptedException {
        HttpResponse<byte[]> response = ask(server, size);
        assertEquals(200, response.statusCode());
        return response.body();
    }

    private static HttpResponse<byte[]> ask(URI server, int size) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(server.resolve("/" + size + ".bin"))
                .version(HttpClient.Version.HTTP_1_1)
                .timeout(Duration.ofSeconds(60))
                .build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofByteArray());
    }

    private void everyFileArrivesWhole(Subject subject, int readBufferSize) throws Exception {
        serve(subject, readBufferSize, server -> {
            for (int size : SIZES) {
                assertArrayEquals(content(size), get(server, size), () -> "size=" + size);
            }
        });
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DIRECT_BYTE_BUFFER_MANAGER")
    void everyFileArrivesWhole(Subject subject) throws Exception {
        everyFileArrivesWhole(subject, 64 * 1024);
    }

    /** The buffer's size is no part of it, also where it makes reads direct. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DIRECT_BYTE_BUFFER_MANAGER")
    void alsoWhereRequestsAreReadIntoDirectMemory(Subject subject) throws Exception {
        everyFileArrivesWhole(subject, 16 * 1024);
        everyFileArrivesWhole(subject, 8 * 1024);
    }

    /** {@code CLStaticHttpHandler.sendChunk} puts 8,192 bytes into what it has allocated for fewer. */
    @Test
    void grizzlysOwnDirectMemoryCutsThem() throws Exception {
        serve(Subject.DIRECT_BYTE_BUFFER_MANAGER, 64 * 1024, server -> {
            HttpResponse<byte[]> response = ask(server, 10_000);
            assertFalse(
                    response.statusCode() == 200 && Arrays.equals(content(10_000), response.body()),
                    "CLStaticHttpHandler is mended: direct memory may begin at less");
        });
    }
}
