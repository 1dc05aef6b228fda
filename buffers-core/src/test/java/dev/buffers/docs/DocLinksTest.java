// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.support.Manual;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every relative link of every page of the project leads to a file of the project, and to a heading of it if it names one. */
class DocLinksTest {
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Pattern ELSEWHERE = Pattern.compile("[a-z]+:.*");
    private static final Pattern HEADING = Pattern.compile("^#+ +(.*)$", Pattern.MULTILINE);

    /** With a letter or a digit: the bars of a table are no words. */
    private static final Pattern WORD = Pattern.compile("\\S*\\w\\S*");

    private static List<String> targets(Path page) throws IOException {
        return targets(Manual.prose(page));
    }

    private static List<String> targets(String prose) {
        return LINK.matcher(prose)
                .results()
                .map(link -> link.group(1))
                .filter(target -> !ELSEWHERE.matcher(target).matches())
                .toList();
    }

    /** The anchors of a page's headings, as GitHub makes them. */
    private static Set<String> anchors(Path page) throws IOException {
        Set<String> anchors = new HashSet<>();
        Map<String, Integer> seen = new HashMap<>();
        for (MatchResult heading : HEADING.matcher(Manual.prose(page)).results().toList()) {
            String anchor = anchor(heading.group(1));
            int before = seen.merge(anchor, 1, Integer::sum) - 1;
            anchors.add(before == 0 ? anchor : anchor + "-" + before);
        }
        return anchors;
    }

    /** The anchor of a heading whose text no heading before it has. */
    static String anchor(String heading) {
        String text = heading.replaceAll("\\[(.*?)]\\(.*?\\)", "$1").strip();
        return text.toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N} _-]", "")
                .replace(' ', '-');
    }

    private static Path file(Path page, String target) {
        String path = target.replaceFirst("#.*", "");
        return path.isEmpty() ? page : page.resolveSibling(path).normalize();
    }

    @Test
    void everyRelativeLinkLeadsSomewhere() throws IOException {
        List<String> broken = new ArrayList<>();
        int links = 0;
        for (Path page : Manual.pages()) {
            for (String target : targets(page)) {
                links++;
                Path file = file(page, target);
                boolean leads = file.startsWith(Manual.ROOT)
                        && Files.exists(file)
                        && !Manual.name(file).contains("target/");
                if (leads && target.contains("#")) {
                    leads = file.toString().endsWith(".md") && anchors(file).contains(target.replaceFirst(".*#", ""));
                }
                if (!leads) {
                    broken.add(Manual.name(page) + ": " + target);
                }
            }
        }
        assertEquals(List.of(), broken);
        assertTrue(links > 100, "links found: " + links);
    }

    @Test
    void theIndexLeadsToEveryPage() throws IOException {
        Path index = Manual.ROOT.resolve("docs/README.md");
        Set<Path> listed =
                targets(index).stream().map(target -> file(index, target)).collect(Collectors.toSet());
        List<String> missing = Manual.pages().stream()
                .filter(page -> page.startsWith(index.getParent()) && !page.equals(index) && !listed.contains(page))
                .map(Manual::name)
                .filter(page -> !page.startsWith("docs/benchmarks/")) // which has a separate index
                .toList();
        assertEquals(List.of(), missing);
    }

    /** The index of the runs links each one's page; a folder beside them is a run. */
    @Test
    void aBenchmarkRunIsItsPageAndItsFigures() throws IOException {
        Path index = Manual.ROOT.resolve("docs/benchmarks/README.md");
        Set<Path> listed =
                targets(index).stream().map(target -> file(index, target)).collect(Collectors.toSet());
        List<Path> runs;
        try (Stream<Path> inside = Files.list(index.getParent())) {
            runs = inside.filter(file -> !file.equals(index)).toList();
        }
        assertFalse(runs.isEmpty());
        for (Path run : runs) {
            assertTrue(listed.contains(run.resolve("README.md")), () -> "not in the index: " + run.getFileName());
            try (Stream<Path> files = Files.list(run)) {
                assertEquals(
                        Set.of("README.md", "results.json"),
                        files.map(file -> file.getFileName().toString()).collect(Collectors.toSet()),
                        () -> "files of " + run.getFileName());
            }
        }
    }

    /** A run that only the list of runs or another run names is not kept. */
    @Test
    void aPageUsesEachBenchmarkRun() throws IOException {
        Path folder = Manual.ROOT.resolve("docs/benchmarks");
        Path index = folder.resolve("README.md");
        Set<Path> used = new HashSet<>();
        for (Path page : Manual.pages()) {
            if (page.equals(index) || !page.startsWith(folder)) {
                String text = Manual.prose(page).split("\\n## All runs\\n")[0];
                targets(text).forEach(target -> used.add(file(page, target).getParent()));
            }
        }
        try (Stream<Path> runs = Files.list(folder)) {
            assertEquals(
                    List.of(),
                    runs.filter(Files::isDirectory)
                            .filter(run -> !used.contains(run))
                            .map(Path::getFileName)
                            .toList());
        }
    }

    /** Otherwise GitHub makes the text a row of the table. */
    @Test
    void anEmptyLineEndsEveryTable() throws IOException {
        Pattern textInTable = Pattern.compile("^\\|.*\n[^|\\s].*$", Pattern.MULTILINE);
        for (Path page : Manual.pages()) {
            assertEquals(
                    List.of(),
                    textInTable
                            .matcher(Manual.prose(page))
                            .results()
                            .map(MatchResult::group)
                            .toList(),
                    page::toString);
        }
    }

    /** {@code .ci/stage} deletes the marked lines. It looks for the same words in the rest. */
    @Test
    void onlyMarkedLinesAreWrongFromFirstReleaseOn() throws IOException {
        Pattern marked = Pattern.compile("(?ms)^<!-- until [0-9.]+ -->$.*?^<!-- end -->$");
        Pattern wrong = Pattern.compile(
                "(?im)^.*(<!-- (until|end)|no release yet|not yet released|not released yet|(until|before) the first release).*$");
        for (Path page : Manual.pages()) {
            String name = Manual.name(page);
            boolean released = name.matches("README.md|SECURITY.md|docs/(?!benchmarks/|decisions/|releasing.md).*");
            String rest = marked.matcher(released ? Manual.read(page) : "").replaceAll("");
            assertEquals(
                    List.of(),
                    wrong.matcher(rest).results().map(MatchResult::group).toList(),
                    name);
        }
    }

    @Test
    void everyDecisionIsShort() throws IOException {
        for (Path page : Manual.pages()) {
            if (page.getParent().endsWith("decisions")) {
                long words = WORD.matcher(Manual.read(page)).results().count();
                assertTrue(words <= 300, () -> page.getFileName() + " has words: " + words);
            }
        }
    }
}
