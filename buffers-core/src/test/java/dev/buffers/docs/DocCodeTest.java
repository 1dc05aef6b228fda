// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.support.Manual;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** All code on the pages is code that a test runs; the modules, versions and profiles that a page names exist in this build. */
class DocCodeTest {
    private static final Pattern DEPENDENCY = Pattern.compile(
            "<groupId>dev\\.buffers</groupId>\\s*<artifactId>(.*?)</artifactId>\\s*<version>(.*?)</version>");
    private static final Pattern GRADLE = Pattern.compile("\"dev\\.buffers:([a-z0-9-]+):([^\"]+)\"");
    private static final Pattern PROFILE = Pattern.compile("-P([a-z]+)");
    private static final Pattern TEST = Pattern.compile("(?<![*\\w])([A-Z][A-Za-z]+Test)(?:#([A-Za-z]+))?\\b");
    /** An example of more than one line in a comment. */
    private static final Pattern JAVADOC =
            Pattern.compile("(?s)<pre>\\{@code\n((?:(?!</pre>).)*\n(?:(?!</pre>).)*\n) +\\* }</pre>");

    private static final Pattern JCSTRESS = Pattern.compile("`([A-Z][A-Za-z]+)\\.([A-Z][A-Za-z]+)`");
    private static final Pattern PROFILE_ID = Pattern.compile("<profile>\\s*<id>(.*?)</id>");

    /** Of tests between tags; and the tutorial's files, which TutorialTest compiles and runs. */
    private static List<String> code() throws IOException {
        List<String> code = new ArrayList<>(Manual.snippets());
        for (Path source : Manual.files(".java")) {
            if (Manual.name(source).startsWith("docs/tutorial/")) {
                code.add(Manual.read(source));
            }
        }
        return code;
    }

    private static List<Path> handWritten() throws IOException {
        return Manual.pages().stream()
                .filter(page -> !Manual.name(page).startsWith("docs/benchmarks/"))
                .toList();
    }

    @Test
    void allCodeIsQuotedFromATest() throws IOException {
        List<String> code = code();
        List<String> shown = new ArrayList<>();
        List<String> unknown = new ArrayList<>();
        for (Path page : handWritten()) {
            for (String block : Manual.blocks(Manual.read(page), "java")) {
                shown.add(block);
                if (!code.contains(block)) {
                    unknown.add(Manual.name(page) + ":\n" + block);
                }
            }
        }
        for (Path source : Manual.files(".java")) {
            if (Manual.name(source).startsWith("buffers-core/src/main/")) {
                for (MatchResult block :
                        JAVADOC.matcher(Manual.read(source)).results().toList()) {
                    String example = block.group(1).replaceAll("(?m)^ +\\* ?", "");
                    shown.add(example);
                    if (!code.contains(example)) {
                        unknown.add(Manual.name(source) + ":\n" + example);
                    }
                }
            }
        }
        assertEquals(List.of(), unknown, "blocks that no test has");
        assertEquals(
                List.of(),
                code.stream().filter(snippet -> !shown.contains(snippet)).toList(),
                "shown on no page");
        assertTrue(shown.size() > 10, "blocks found: " + shown.size());
    }

    /** Who copies it has to add nothing but a package. */
    @Test
    void theCodeForServersIsWholeFiles() throws IOException {
        List<String> blocks = new ArrayList<>();
        for (String page : List.of(
                "spring-boot", "undertow", "jetty", "grizzly", "tomcat", "nio", "virtual-threads", "frameworks")) {
            blocks.addAll(Manual.blocks(Manual.page("docs/" + page + ".md"), "java"));
        }
        assertEquals(
                List.of(),
                blocks.stream().filter(block -> !block.startsWith("import ")).toList());
        assertTrue(blocks.size() > 7, "blocks found: " + blocks.size());
    }

    @Test
    void everyDependencyIsAModuleOfThisVersion() throws IOException {
        Set<String> modules = new TreeSet<>();
        Set<String> versions = new TreeSet<>();
        Set<String> wrong = new TreeSet<>();
        Pattern parent =
                Pattern.compile("<version>([^<]*)</version>\\s*</parent>\\s*<artifactId>([a-z0-9-]+)</artifactId>");
        for (Path pom : Manual.files("pom.xml")) {
            Matcher module = parent.matcher(Manual.read(pom));
            if (module.find()) {
                versions.add(module.group(1));
                modules.add(module.group(2));
            }
        }
        assertEquals(1, versions.size(), () -> "versions: " + versions);
        modules.add("buffers-bom"); // which has no parent
        for (Path page : handWritten()) {
            String text = Manual.read(page);
            for (MatchResult dependency : Stream.of(DEPENDENCY, GRADLE)
                    .flatMap(pattern -> pattern.matcher(text).results())
                    .toList()) {
                if (!modules.contains(dependency.group(1)) || !versions.contains(dependency.group(2))) {
                    wrong.add(Manual.name(page) + ": " + dependency.group(1) + ":" + dependency.group(2));
                }
            }
        }
        assertEquals(Set.of(), wrong);
    }

    @Test
    void everyTestThatIsNamedExists() throws IOException {
        Map<String, String> tests = new TreeMap<>();
        for (Path source : Manual.files(".java")) {
            String file = source.getFileName().toString();
            if (!Manual.name(source).contains("/main/")) {
                tests.merge(file.substring(0, file.length() - ".java".length()), Manual.read(source), String::concat);
            }
        }
        Set<String> unknown = new TreeSet<>();
        int named = 0;
        for (Path page : handWritten()) {
            for (MatchResult name : TEST.matcher(Manual.prose(page)).results().toList()) {
                String source = tests.get(name.group(1));
                boolean known = source != null && (name.group(2) == null || source.contains(" " + name.group(2)));
                if (!known) {
                    unknown.add(Manual.name(page) + ": " + name.group());
                }
                named++;
            }
        }
        for (MatchResult name : JCSTRESS.matcher(Manual.page("docs/memory-effects.md"))
                .results()
                .toList()) {
            if (!tests.getOrDefault(name.group(1), "").contains(" class " + name.group(2) + " ")) {
                unknown.add("docs/memory-effects.md: " + name.group());
            }
        }
        assertEquals(Set.of(), unknown);
        assertTrue(named > 50, "names found: " + named);
    }

    @Test
    void everyProfileExists() throws IOException {
        Set<String> profiles = new TreeSet<>();
        for (Path pom : Manual.files("pom.xml")) {
            profiles.addAll(found(PROFILE_ID, Manual.read(pom)));
        }
        Set<String> unknown = new TreeSet<>();
        for (Path page : handWritten()) {
            for (String profile : found(PROFILE, Manual.read(page))) {
                if (!profiles.contains(profile)) {
                    unknown.add(Manual.name(page) + ": -P" + profile);
                }
            }
        }
        assertEquals(Set.of(), unknown);
    }

    private static Set<String> found(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(match -> match.group(1)).collect(Collectors.toSet());
    }
}
