// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.buffers.support.Manual;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The BOM has each artifact that is published, in this version, and brings nothing else along. */
class BomTest {
    private static final Pattern CHILD = Pattern.compile("</parent>\\s*<artifactId>(.*?)</artifactId>");
    private static final Pattern MANAGED = Pattern.compile(
            "<groupId>(.*?)</groupId>\\s*<artifactId>(.*?)</artifactId>\\s*<version>\\$\\{project\\.version}</version>");
    private static final Pattern VERSION =
            Pattern.compile("<artifactId>buffers(?:-bom)?</artifactId>\\s*<version>(.*?)</version>");

    @Test
    void bomListsExactlyThePublishedModules() throws IOException {
        Set<String> published = new TreeSet<>();
        for (Path file : Manual.files("pom.xml")) {
            String pom = Manual.read(file);
            Matcher module = CHILD.matcher(pom);
            if (module.find()
                    && !pom.contains("<maven.deploy.skip>true")
                    && !pom.contains("<packaging>pom</packaging>")) {
                published.add("dev.buffers:" + module.group(1));
            }
        }
        String bom = Manual.page("buffers-bom/pom.xml");
        Set<String> managed = MANAGED.matcher(bom)
                .results()
                .map(match -> match.group(1) + ":" + match.group(2))
                .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(published, managed);
        assertFalse(bom.contains("<parent>"), "what a parent manages would be imported too");
        assertEquals(version(Manual.page("pom.xml")), version(bom));
    }

    private static String version(String pom) {
        return VERSION.matcher(pom).results().findFirst().orElseThrow().group(1);
    }
}
