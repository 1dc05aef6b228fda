// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.support;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** Runs a program of the tests in a separate JVM. */
public final class Jvm {

    /** The log lines of a pool that refuses, as it does in many of these programs. */
    private static final Pattern REFUSAL =
            Pattern.compile(".* warn\n[A-Z]+: (pool has no room|asked the JVM for a collection).*\n");

    private Jvm() {}

    /** The class path of this JVM, for a loader that loads all of it once more. */
    public static URL[] classPath() throws IOException {
        List<URL> urls = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            urls.add(Path.of(entry).toUri().toURL());
        }
        return urls.toArray(new URL[0]);
    }

    /** The output of a program that must have ended well, without the log of refusals. */
    public static String run(Class<?> main, String... options) throws IOException, InterruptedException {
        return run(600, main, options);
    }

    /** The same of one that takes longer, but at most so many seconds. */
    public static String run(long seconds, Class<?> main, String... options) throws IOException, InterruptedException {
        return run(seconds, main, options, new String[0]);
    }

    /** The same with arguments. */
    public static String run(long seconds, Class<?> main, String[] options, String... arguments)
            throws IOException, InterruptedException {
        return run(seconds, Map.of(), main, options, arguments);
    }

    /** The same with environment variables, beside those of this process. */
    public static String runIn(Map<String, String> environment, Class<?> main, String... options)
            throws IOException, InterruptedException {
        return run(600, environment, main, options);
    }

    private static String run(
            long seconds, Map<String, String> environment, Class<?> main, String[] options, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(options));
        command.add(main.getName());
        command.addAll(List.of(arguments));
        return REFUSAL.matcher(ended(seconds, environment, command)).replaceAll("");
    }

    /** Both streams of a command that must have ended well, after at most so many seconds. */
    static String ended(long seconds, Map<String, String> environment, List<String> command)
            throws IOException, InterruptedException {
        Path output = Files.createTempFile("jvm", ".txt");
        try {
            ProcessBuilder builder =
                    new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
            builder.environment().putAll(environment);
            Process process = builder.start();
            if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
            String text = Files.readString(output, UTF_8).replace("\r\n", "\n");
            assertEquals(0, process.exitValue(), () -> command + "\n" + text);
            return text;
        } finally {
            Files.delete(output);
        }
    }
}
