// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.jetty;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.jetty.util.Jetty;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Both artifacts for Jetty on one class path; a folder stands for the jar of the other one. */
class OneArtifactTest {
    @TempDir
    Path folder;

    @Test
    void createFailsWithBothArtifactsOnTheClassPath() throws Exception {
        try (URLClassLoader both = loaderWithBothArtifacts()) {
            Method create = both.loadClass(JettyBufferPool.class.getName()).getMethod("create");
            assertNamesBoth(assertThrows(InvocationTargetException.class, () -> create.invoke(null)));
        }
    }

    @Test
    void ofFailsWithBothArtifactsOnTheClassPath() throws Exception {
        try (URLClassLoader both = loaderWithBothArtifacts()) {
            Class<?> pool = both.loadClass(BufferPool.class.getName());
            Method of = both.loadClass(JettyBufferPool.class.getName()).getMethod("of", pool, pool);
            assertNamesBoth(assertThrows(InvocationTargetException.class, () -> of.invoke(null, null, null)));
        }
    }

    @Test
    void checkFailsWithTheOtherJetty() {
        OneArtifact.check(Jetty.VERSION);
        String other = Jetty.VERSION.startsWith("12.1.") ? "12.0.39" : "12.1.14";
        String message = assertThrows(IllegalStateException.class, () -> OneArtifact.check(other))
                .getMessage();
        assertTrue(message.contains("artifact for another Jetty: jetty=" + other), message);
    }

    private static void assertNamesBoth(InvocationTargetException failure) {
        String message = assertInstanceOf(IllegalStateException.class, failure.getCause())
                .getMessage();
        assertTrue(message.contains("Jetty 12.1 needs buffers-jetty121, found=file:"), message);
        assertTrue(message.contains("Jetty 12.0 needs buffers-jetty120, found=file:"), message);
    }

    private URLClassLoader loaderWithBothArtifacts() throws IOException {
        for (String artifact : List.of("buffers-jetty121", "buffers-jetty120")) {
            Path metadata = folder.resolve("META-INF/native-image/dev.buffers").resolve(artifact);
            Files.createDirectories(metadata);
            Files.writeString(metadata.resolve("reachability-metadata.json"), "{}");
        }
        List<URL> path = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            path.add(Path.of(entry).toUri().toURL());
        }
        path.add(folder.toUri().toURL());
        return new URLClassLoader(path.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    }
}
