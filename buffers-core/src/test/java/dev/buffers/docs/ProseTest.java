// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.support.Manual;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Pages, comments, messages and test names keep to {@link Prose}. */
class ProseTest {
    @Test
    void noFileHasFindings() throws IOException {
        int files = 0;
        List<String> findings = new ArrayList<>();
        for (Path page : Manual.pages()) {
            files++;
            Prose.page(Manual.read(page)).forEach(finding -> findings.add(Manual.name(page) + ": " + finding));
        }
        for (Path source : Manual.files(".java")) {
            files++;
            String name = Manual.name(source);
            boolean test = name.matches(".*/src/(shared/)?(test|jcstress|fuzz)[^.]*/.*");
            Prose.java(Manual.read(source), test).forEach(finding -> findings.add(name + ": " + finding));
        }
        assertTrue(files > 500, "files: " + files);
        assertTrue(findings.isEmpty(), () -> String.join("\n", findings));
    }

    @Test
    void longSentenceIsFound() {
        String sentence = String.join(" ", Collections.nCopies(Prose.LONGEST_SENTENCE, "w"));
        assertEquals(List.of(), Prose.page(sentence + ". Short. One more.\n\n- " + sentence + "\n- Another.\n"));
        assertEquals(
                1,
                Prose.page("Short. So. Yes. A\n" + sentence + " `ends` here.\n").size());
        assertEquals(1, Prose.page("| cell | A " + sentence + " |\n").size());
    }

    @Test
    void longSentencesOnAverageAreFound() {
        String sentence = String.join(" ", Collections.nCopies(Prose.MEAN_SENTENCE, "w"));
        assertEquals(List.of(), Prose.page("# Heading\n\n" + sentence + ". " + sentence.replace('w', 'W') + ".\n"));
        assertEquals(1, Prose.page(sentence + " w. W " + sentence + ".\n").size());
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
}
