// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.support.Manual;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The model of a slot's life keeps up with the code: each of its steps names a method, and that is there. */
class SlotModelNamesTest {
    private static final List<String> FLOORS = List.of("signals", "slab", "cache", "monitor", "pool", "upkeep");
    private static final Pattern NAME = Pattern.compile("/\\* ([A-Z]\\w*)\\.([a-z]\\w*) \\*/");
    private static final Pattern STEP = Pattern.compile(
            "\\b(store|storeRelease|storeView|load|loadAcquire|cas|canSet|isUnlocked)\\(|\\bcan(Lock|Take)\\b|^ *\\w+ = memory\\[");

    private static List<String> steps() throws IOException {
        String model = Manual.page("buffers-core/src/test/spin/slot.pml");
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
