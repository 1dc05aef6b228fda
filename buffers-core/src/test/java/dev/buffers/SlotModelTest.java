// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.support.Manual;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Spin searches every state of {@code src/test/spin/slot.pml} in each of its configurations under both of its memory models, and finds
 * each planted fault. The profile {@code spin} runs this; it needs the Debian packages {@code spin} and {@code gcc}. The output of each
 * search is kept in {@code target/spin}. In each build the model keeps up with the code: each of its steps names a method, and that is
 * there.
 */
class SlotModelTest {
    private static final Path MODEL = Manual.ROOT.resolve("buffers-core/src/test/spin/slot.pml");
    private static final Path KEPT = Manual.ROOT.resolve("buffers-core/target/spin");
    private static final Pattern FAULT = Pattern.compile("FAULT_[A-Z_]+");
    private static final List<String> FLOORS = List.of("signals", "slab", "cache", "monitor", "pool", "upkeep");
    private static final Pattern NAME = Pattern.compile("/\\* ([A-Z]\\w*)\\.([a-z]\\w*) \\*/");
    private static final Pattern STEP = Pattern.compile(
            "\\b(store|storeRelease|storeView|load|loadAcquire|cas|canSet|isUnlocked)\\(|\\bcan(Lock|Take)\\b|^ *\\w+ = memory\\[");
    private static final int MEGABYTES = 8000;

    @TempDir
    private Path folder;

    @Tag("spin")
    @ParameterizedTest
    @ValueSource(strings = {"PASS", "REGION", "STALE", "RACED", "FURTHER", "RETIRED", "LOST", "HANDED", "STACK"})
    void noStateIsWrong(String configuration) throws Exception {
        assertNothingFound(search(configuration));
        assertNothingFound(search(configuration, "WEAK"));
    }

    @Tag("spin")
    @ParameterizedTest
    @CsvSource({
        "STALE,   FAULT_GENERATION",
        "PASS,    FAULT_BEGIN_PLAINLY",
        "STALE,   FAULT_END_PLAINLY",
        "PASS,    FAULT_FREE_BEFORE_VIEW",
        "PASS,    FAULT_FREE_AT_ONCE",
        "STALE,   FAULT_VIEW_FIRST",
        "PASS,    FAULT_REVOKE_HELD",
        "PASS,    FAULT_REVOKE_ENDING",
        "PASS,    FAULT_REVOKE_PLAINLY",
        "PASS,    FAULT_REVOKED_KEEPS_VIEW",
        "FURTHER, FAULT_FURTHER_TWICE",
        "FURTHER, FAULT_FURTHER_UNCHECKED",
        "FURTHER, FAULT_DRAIN_PLAINLY",
        "LOST,    FAULT_RETIRED_FORGETS_FIRST",
        "LOST,    FAULT_RETIRED_UNREACHABLE",
        "LOST,    FAULT_ENDING_IS_NOT_LOST",
        "HANDED,  FAULT_SERVED_WITHOUT_TENANCY",
        "HANDED,  FAULT_LEAVES_UNASKED",
        "STACK,   FAULT_STACK_PUSHED_PLAINLY",
        "STACK,   FAULT_STACK_CLOSED_PLAINLY",
        "STACK,   FAULT_STACK_OPENED_TWICE"
    })
    void faultIsFoundUnderTotalStoreOrder(String configuration, String fault) throws Exception {
        assertFound(search(configuration, fault));
    }

    /** Total store order hides these. */
    @Tag("spin")
    @ParameterizedTest
    @CsvSource({
        "PASS,    FAULT_BEGIN_NOT_ACQUIRING",
        "PASS,    FAULT_FREE_PLAINLY",
        "PASS,    FAULT_DEPOT_NOT_RELEASING",
        "STALE,   FAULT_LEASE_PASSED_PLAINLY",
        "STACK,   FAULT_STACK_TAKEN_NOT_ACQUIRING",
        "STACK,   FAULT_STACK_PUSH_NOT_RELEASING"
    })
    void faultIsFoundUnderWeakModelAlone(String configuration, String fault) throws Exception {
        assertFound(search(configuration, "WEAK", fault));
        assertNothingFound(search(configuration, fault));
    }

    private static void assertFound(String said) {
        assertTrue(said.contains("errors: 1\n"), said);
        assertTrue(said.contains("assertion violated"), said);
        assertFalse(
                said.contains("assertion violated (buffer[me].n<"), "a fault must not end at the model's own bounds");
    }

    private static void assertNothingFound(String said) {
        assertTrue(said.contains("errors: 0\n"), said);
        assertTrue(said.contains("Full statespace search for:"), said);
        assertFalse(said.contains("max search depth too small"), said);
        assertFalse(said.contains("Search not completed"), said);
    }

    @Test
    void everyFaultOfTheModelIsPlanted() throws Exception {
        Set<String> planted = new TreeSet<>();
        for (String test : List.of("faultIsFoundUnderTotalStoreOrder", "faultIsFoundUnderWeakModelAlone")) {
            CsvSource listed = SlotModelTest.class
                    .getDeclaredMethod(test, String.class, String.class)
                    .getAnnotation(CsvSource.class);
            Stream.of(listed.value())
                    .map(line -> line.replaceFirst(".*, *", ""))
                    .forEach(planted::add);
        }
        Set<String> known = new TreeSet<>();
        Matcher fault = FAULT.matcher(Manual.read(MODEL));
        while (fault.find()) {
            known.add(fault.group());
        }
        assertEquals(known, planted);
    }

    /** Searches every state; returns what Spin says at the end. */
    private String search(String... macros) throws Exception {
        List<String> spin = new ArrayList<>(List.of("spin", "-a"));
        Stream.of(macros).map(macro -> "-D" + macro).forEach(spin::add);
        spin.add(MODEL.toString());
        assertEquals(0, run("model", spin), () -> said("model"));
        List<String> gcc =
                List.of("gcc", "-O2", "-DSAFETY", "-DCOLLAPSE", "-DMEMLIM=" + MEGABYTES, "-o", "pan", "pan.c");
        assertEquals(0, run("compiler", gcc), () -> said("compiler"));
        run("search", List.of(folder.resolve("pan").toString(), "-m100000", "-w24", "-n"));
        Files.createDirectories(KEPT);
        Files.writeString(KEPT.resolve(String.join("-", macros) + ".txt"), said("search"));
        return said("search");
    }

    private int run(String name, List<String> command) throws IOException, InterruptedException {
        File output = folder.resolve(name).toFile();
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output)
                .start();
        try {
            return process.waitFor();
        } finally {
            process.destroyForcibly();
        }
    }

    private String said(String name) {
        try {
            return Manual.read(folder.resolve(name));
        } catch (IOException e) {
            throw new IllegalStateException("said nothing: name=" + name, e);
        }
    }

    // ---------------------------------------------------------------- the names

    private static List<String> steps() throws IOException {
        String model = Manual.read(MODEL);
        return model.substring(model.indexOf("/* ---- steps that several share */"))
                .lines()
                .toList();
    }

    @Test
    void everyStepNamesAMethod() throws IOException {
        List<String> unnamed = new ArrayList<>();
        int steps = 0;
        for (String line : steps()) {
            if (STEP.matcher(line).find()) {
                steps++;
                if (!NAME.matcher(line).find()) {
                    unnamed.add(line);
                }
            }
        }
        assertEquals(List.of(), unnamed);
        assertTrue(steps > 50, "steps found: " + steps);
    }

    @Test
    void everyMethodThatIsNamedExists() throws IOException {
        Set<String> named = new TreeSet<>();
        Set<String> unknown = new TreeSet<>();
        for (String line : steps()) {
            for (Matcher name = NAME.matcher(line); name.find(); ) {
                named.add(name.group(1) + "." + name.group(2));
                if (!exists(name.group(1), name.group(2))) {
                    unknown.add(name.group());
                }
            }
        }
        assertEquals(Set.of(), unknown);
        assertTrue(named.size() > 25, named::toString);
    }

    private static boolean exists(String type, String method) {
        return FLOORS.stream().anyMatch(floor -> exists("dev.buffers.internal." + floor, type, method));
    }

    private static boolean exists(String folder, String type, String method) {
        try {
            return Stream.of(Class.forName(folder + "." + type).getDeclaredMethods())
                    .anyMatch(declared -> declared.getName().equals(method));
        } catch (ClassNotFoundException e) {
            return false;
        }
    }
}
