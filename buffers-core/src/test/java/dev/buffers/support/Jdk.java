// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.support;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The tools of the JDK that builds the project: the JVM under test may be a runtime without a compiler. */
public final class Jdk {
    private static final String BUILDS = System.getProperty("test.jdk", System.getProperty("java.home"));

    private Jdk() {}

    /** Both streams of a tool that must have ended well. */
    public static String run(String tool, String... arguments) throws IOException, InterruptedException {
        return ended(BUILDS, tool, arguments);
    }

    /** The same of the {@code java} under test. */
    public static String java(String... arguments) throws IOException, InterruptedException {
        return ended(System.getProperty("java.home"), "java", arguments);
    }

    private static String ended(String home, String tool, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(home, "bin", tool).toString());
        command.addAll(List.of(arguments));
        return Jvm.ended(100, Map.of(), command);
    }
}
