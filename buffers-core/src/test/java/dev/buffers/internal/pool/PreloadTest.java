// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.pool;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.support.Jvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@link Preload}: no initialiser of a class is left for the ways of a pool, as the log of the JVM says. */
class PreloadTest {

    /** Of settings, the guard, arenas and MBeans, which a pool uses when it is made if at all; of the log's thread. */
    private static final List<String> OTHERS = List.of(
            "/settings/", "/guard/", "/memory/ArenaMemory", "/monitor/MBeans.class", "/monitor/LeakReports$1.class");

    @Test
    void firstPoolRunsEveryInitialiser() throws Exception {
        String said = Jvm.run(60, Main.class, "-Xlog:class+init=info");
        Path root = Path.of(BufferPool.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        List<String> left;
        try (Stream<Path> all = Files.walk(root.resolve("dev/buffers/internal"))) {
            left = all.filter(PreloadTest::hasInitialiser)
                    .map(file -> root.relativize(file).toString())
                    .filter(name -> OTHERS.stream().noneMatch(name::contains))
                    .filter(name -> !said.contains("Initializing '" + name.replace(".class", "'")))
                    .toList();
        }
        assertEquals(List.of(), left);
        assertTrue(said.contains("Initializing 'java/util/BitSet'"));
    }

    private static boolean hasInitialiser(Path file) {
        try {
            return file.toString().endsWith(".class")
                    && new String(Files.readAllBytes(file), ISO_8859_1).contains("<clinit>");
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    static final class Main {
        public static void main(String[] args) {
            BufferPool.builder("preload").build();
        }
    }
}
