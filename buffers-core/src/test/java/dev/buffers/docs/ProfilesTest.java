// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.buffers.support.Manual;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The flags that make {@code mvn verify} quick are no part of the profiles that prove more: two collectors do not even start a JVM. */
class ProfilesTest {
    private static final Pattern PROFILE =
            Pattern.compile("<profile>\\s*<id>(.*?)</id>(.*?)</profile>", Pattern.DOTALL);
    private static final Pattern OTHER_TESTS = Pattern.compile("<test\\.(groups|slow)>(.*?)</test");

    @Test
    void jvmChoosesWhereProfileRunsOtherTests() throws IOException {
        List<String> quick = new ArrayList<>();
        int profiles = 0;
        for (String page : List.of("pom.xml", "buffers-core/pom.xml")) {
            Matcher profile = PROFILE.matcher(Manual.page(page));
            while (profile.find()) {
                String text = profile.group(2);
                Matcher tests = OTHER_TESTS.matcher(text);
                boolean runsTests = tests.find()
                        && (tests.group(1).equals("slow") || !tests.group(2).equals("none"));
                profiles += runsTests ? 1 : 0;
                if (runsTests && !(text.contains("<test.collector/>") && text.contains("<test.quick.compiler/>"))) {
                    quick.add(profile.group(1));
                }
            }
        }
        assertEquals(List.of(), quick);
        assertEquals(8, profiles, "full, stress, burn, scale, spin, frameworks, external, lincheck");
    }
}
