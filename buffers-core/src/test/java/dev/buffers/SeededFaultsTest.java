// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.support.Manual;
import dev.buffers.support.SeededFault;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The seeded faults keep up with the code: each can be planted, and each names a test that is there. {@code Mutants} runs them. What PIT is
 * to change is there as well.
 */
class SeededFaultsTest {
    private static final Pattern NAME = Pattern.compile("[0-9]{3}(-[a-z0-9]+)+");

    static List<SeededFault> all() throws IOException {
        return SeededFault.all();
    }

    @ParameterizedTest
    @MethodSource("all")
    void canBePlanted(SeededFault fault) throws IOException {
        assertTrue(NAME.matcher(fault.name()).matches(), fault.name());
        for (String file : fault.hunks().keySet()) {
            assertTrue(file.startsWith(fault.module() + "/src/main/java/"), () -> "not shipped code: " + file);
            assertNotEquals(Manual.page(file), fault.plant(file));
        }
    }

    /** The tags of the killer's class and of its method stand above them. */
    private static boolean isInFullSuiteAlone(SeededFault fault) throws IOException {
        String text = Manual.page(
                fault.module() + "/src/test/java/" + fault.killerClass().replace('.', '/') + ".java");
        String ofMethod = text.substring(0, text.indexOf("    void " + fault.killerMethod() + "("));
        String ofClass = text.substring(0, text.indexOf("\nclass "));
        return (ofMethod.substring(ofMethod.lastIndexOf("\n\n")) + ofClass).contains("@Tag(\"full\")");
    }

    /** A fault that does not compile is planted by no run, and none of its kind is seen. */
    @Test
    @Tag("full")
    @Tag("javac")
    void eachOfCoreCompiles(@TempDir Path folder) throws IOException {
        List<String> classPath = List.of(System.getProperty("java.class.path").split(File.pathSeparator));
        for (SeededFault fault : all()) {
            if (fault.module().equals("buffers-core")) {
                fault.compile(folder.resolve(fault.name()), classPath);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("all")
    void namesATestThatIsThere(SeededFault fault) throws IOException {
        Path source = Manual.ROOT.resolve(
                fault.module() + "/src/test/java/" + fault.killerClass().replace('.', '/') + ".java");
        assertTrue(Files.exists(source), () -> "no such test: " + fault.killer());
        String text = Manual.read(source);
        assertTrue(text.contains("    void " + fault.killerMethod() + "("), () -> "no such test: " + fault.killer());
        if (fault.suite() == SeededFault.Suite.STRESS) {
            assertTrue(text.contains("@Tag(\"stress\")"), () -> "no stress test: " + fault.killer());
        }
    }

    @ParameterizedTest
    @MethodSource("all")
    void isListedOnItsPage(SeededFault fault) throws IOException {
        String killer = fault.killer() + (isInFullSuiteAlone(fault) ? ", `full`" : "");
        String row = "| " + fault.name() + " | " + fault.what() + " | " + killer + " |";
        assertTrue(Manual.page("docs/mutants.md").lines().anyMatch(row::equals), row);
    }

    @Test
    void thereAreManyAndNoTwoOfOneNumber() throws IOException {
        Set<String> numbers = new HashSet<>();
        List<String> ofModules = new ArrayList<>();
        for (SeededFault fault : all()) {
            assertTrue(numbers.add(fault.name().substring(0, 3)), fault.name());
            ofModules.add(fault.module());
        }
        assertTrue(ofModules.stream().filter("buffers-core"::equals).count() >= 36, ofModules::toString);
        assertTrue(ofModules.contains("buffers-micrometer"), ofModules::toString);
    }

    /** PIT runs in its profile alone, and there a pattern that matches no class is no error. */
    @Test
    void everyClassInTheListOfPitExists() throws IOException {
        String pom = Manual.page("buffers-core/pom.xml");
        List<String> named = Pattern.compile("<param>(dev\\.buffers[.\\w]*)</param>")
                .matcher(pom)
                .results()
                .map(name -> name.group(1))
                .toList();
        assertTrue(named.size() >= 50, named::toString);
        List<String> sources = List.of("main/java/", "test/java/", "test/java21/", "test/java22/");
        assertEquals(
                List.of(),
                named.stream()
                        .filter(name -> sources.stream()
                                .map(folder -> "buffers-core/src/" + folder + name.replace('.', '/') + ".java")
                                .noneMatch(file -> Files.exists(Manual.ROOT.resolve(file))))
                        .toList());
    }
}
