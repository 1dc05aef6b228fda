// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.support.Manual;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Pages, comments, messages and test names keep to {@link Prose}. A file that did not when the rules came has its number of findings in
 * {@code prose.txt}: the number may fall, and a new file starts at zero. {@code -Dprose.record=true} writes the numbers of today.
 */
class ProseTest {
    private static final Path ACCEPTED =
            Manual.ROOT.resolve("buffers-core/src/test/resources/dev/buffers/docs/prose.txt");
    private static final boolean RECORD = Boolean.getBoolean("prose.record");

    @Test
    void noFileExceedsItsAcceptedCount() throws IOException {
        Map<String, List<String>> findings = findings();
        if (RECORD) {
            List<String> lines = new ArrayList<>();
            findings.forEach((file, found) -> lines.add(found.size() + " " + file));
            Files.write(ACCEPTED, lines, UTF_8);
        }
        Map<String, Integer> accepted = accepted();
        List<String> tooMany = new ArrayList<>();
        findings.forEach((file, found) -> {
            int limit = accepted.getOrDefault(file, 0);
            if (found.size() > limit) {
                tooMany.add(file + ": findings=" + found.size() + ", accepted=" + limit + "\n    "
                        + String.join("\n    ", found));
            }
        });
        assertTrue(tooMany.isEmpty(), () -> String.join("\n", tooMany));
    }

    @Test
    void sentenceOfTwentySixWordsIsFound() {
        String sentence = String.join(" ", Collections.nCopies(Prose.LONGEST_SENTENCE, "w"));
        assertEquals(List.of(), Prose.page(sentence + ". One more.\n\n- " + sentence + "\n- Another.\n"));
        assertEquals(1, Prose.page("Short. A\n" + sentence + " `ends` here.\n").size());
        assertEquals(1, Prose.page("| cell | A " + sentence + " |\n").size());
    }

    @Test
    void longLineIsFoundOutsideCodeAndTables() {
        String line = "x".repeat(Prose.LONGEST_LINE + 1);
        assertEquals(1, Prose.page(line + "\n").size());
        assertEquals(List.of(), Prose.page("```\n" + line + "\n```\n\n| " + line + " |\n"));
    }

    @Test
    void droppedWordIsFoundAcrossLinesOfCommentsAndInMessages() {
        assertEquals(1, Prose.java("// A lock of its\n    // own.\n", true).size());
        assertEquals(1, Prose.java("/**\n * Held for\n * ever.\n */\n", true).size());
        assertEquals(
                1,
                Prose.java("throw e(\"it can never be had; to be had\");", false)
                        .size());
        assertEquals(List.of(), Prose.java("expect(\"to be had\"); int meanwhile = '\"'; // fine", true));
    }

    @Test
    void droppedWordIsFoundInTestNames() {
        assertEquals(
                1, Prose.java("    void whoeverReleasesItFirstWins() {\n", true).size());
        assertEquals(List.of(), Prose.java("    void releaseReturnsSlotToItsSlab() {\n", true));
    }

    private static Map<String, List<String>> findings() throws IOException {
        Map<String, List<String>> findings = new TreeMap<>();
        for (Path page : Manual.pages()) {
            findings.put(Manual.name(page), Prose.page(Manual.read(page)));
        }
        for (Path source : Manual.files(".java")) {
            String name = Manual.name(source);
            boolean test = name.matches(".*/src/(shared/)?(test|jcstress|fuzz)[^.]*/.*");
            findings.put(name, Prose.java(Manual.read(source), test));
        }
        assertTrue(findings.size() > 500, () -> "files: " + findings.size());
        findings.values().removeIf(List::isEmpty);
        return findings;
    }

    private static Map<String, Integer> accepted() throws IOException {
        Map<String, Integer> accepted = new TreeMap<>();
        for (String line : Files.readAllLines(ACCEPTED, UTF_8)) {
            String[] parts = line.split(" ", 2);
            accepted.put(parts[1], Integer.valueOf(parts[0]));
        }
        return accepted;
    }
}
