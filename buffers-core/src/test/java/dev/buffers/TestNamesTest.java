// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.support.Manual;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each internal class has a test class of its name, in the same package: a reader of either finds the other. */
class TestNamesTest {
    private static final Path CORE = Manual.ROOT.resolve("buffers-core/src");

    /** The classes of this folder and those below it, without the end of their names. */
    private static Set<String> names(String folder, String end) throws IOException {
        Path root = CORE.resolve(folder).resolve("dev/buffers/internal");
        try (Stream<Path> files = Files.walk(root)) {
            return files.map(file -> root.relativize(file).toString().replace('\\', '/'))
                    .filter(file -> file.endsWith(end) && !file.endsWith("package-info.java"))
                    .map(file -> file.substring(0, file.length() - end.length()))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    @Test
    void everyInternalClassHasATestOfItsName() throws IOException {
        Set<String> classes = names("main/java", ".java");
        assertTrue(classes.size() > 50, () -> "classes: " + classes);
        classes.removeAll(names("test/java", "Test.java"));
        classes.removeAll(names("test/java21", "Test.java"));
        classes.removeAll(names("test/java22", "Test.java"));
        assertEquals(Set.of(), classes);
    }
}
