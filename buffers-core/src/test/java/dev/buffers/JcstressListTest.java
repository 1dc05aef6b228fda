// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.openjdk.jcstress.infra.TestInfo;
import org.openjdk.jcstress.infra.runners.TestList;

/**
 * jcstress's annotation processor ran over all of {@code src/jcstress}: a test that is not in its list would never run, nor would
 * one with more actors than the cores of a small machine, and nothing else would say so.
 */
class JcstressListTest {
    private static final Path SOURCES =
            Path.of(System.getProperty("basedir", System.getProperty("user.dir")), "src", "jcstress", "java");
    private static final Pattern TEST = Pattern.compile("@JCStressTest\\b.*?\\bclass (\\w+)", Pattern.DOTALL);

    @Test
    void everyTestOfTheFolderIsListed() throws IOException {
        Set<String> written = new TreeSet<>();
        for (Path file : sources()) {
            Path unit = SOURCES.relativize(file);
            String outer = unit.toString()
                    .replace(".java", "")
                    .replace(unit.getFileSystem().getSeparator(), ".");
            TEST.matcher(Files.readString(file)).results().forEach(test -> written.add(outer + "." + test.group(1)));
        }
        assertFalse(written.isEmpty(), () -> "no tests in " + SOURCES);
        assertEquals(written, new TreeSet<>(TestList.tests()));
    }

    @Test
    void everyTestHasTwoActorsAndDescription() {
        for (String name : TestList.tests()) {
            TestInfo test = TestList.getInfo(name);
            assertEquals(2, test.threads(), name);
            assertFalse(test.description().isBlank(), name);
        }
    }

    /** A name that a test looked up at run time could be gone, and nothing would say so until the next run of jcstress. */
    @Test
    void noTestReachesInByReflection() throws IOException {
        for (Path file : sources()) {
            String code = Files.readString(file);
            for (String means : List.of("java.lang.reflect", "java.lang.invoke", "Class.forName", "setAccessible")) {
                assertFalse(code.contains(means), () -> file.getFileName() + " uses " + means);
            }
        }
    }

    private static List<Path> sources() throws IOException {
        try (Stream<Path> files = Files.walk(SOURCES)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList();
        }
    }
}
