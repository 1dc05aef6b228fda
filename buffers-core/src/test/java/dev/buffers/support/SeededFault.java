// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.support;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * A fault to be planted into the shipped code, so that the tests show that they see it: a patch of {@code src/test/mutants} with a header
 * that describes the fault, and names the test that is expected to see it.
 *
 * @param name the patch's name without its ending
 * @param killer {@code Class#method}, the class as it stands below the package {@code dev.buffers}
 * @param suite which suite the killer belongs to
 * @param hangs whether the killer may run into the time limit instead of failing
 * @param hunks what to change, by file as seen from the project's folder
 */
public record SeededFault(
        String name, String what, String killer, Suite suite, boolean hangs, Map<String, List<Hunk>> hunks) {

    /** Where a killer belongs. */
    public enum Suite {
        QUICK,
        STRESS
    }

    /** Lines, and what takes their place. They must be unique in their file; where they stand in it does not matter. */
    record Hunk(String before, String after) {}

    static final Path FOLDER = Manual.ROOT.resolve("buffers-core/src/test/mutants");

    /** All of them, in the order of their names. */
    public static List<SeededFault> all() throws IOException {
        List<SeededFault> all = new ArrayList<>();
        try (Stream<Path> files = Files.list(FOLDER)) {
            for (Path file : files.sorted().toList()) {
                String name = file.getFileName().toString();
                if (name.endsWith(".patch")) {
                    all.add(parse(name.substring(0, name.length() - ".patch".length()), Manual.read(file)));
                }
            }
        }
        return all;
    }

    /** Reads a unified diff behind lines of {@code Key: value}. */
    public static SeededFault parse(String name, String text) {
        Map<String, String> header = new HashMap<>();
        Map<String, List<Hunk>> hunks = new LinkedHashMap<>();
        List<Hunk> ofFile = null;
        StringBuilder before = new StringBuilder();
        StringBuilder after = new StringBuilder();
        for (String line :
                ((text.endsWith("\n") ? text : text + "\n") + "@@").lines().toList()) {
            boolean newFile = line.startsWith("--- a/") || line.startsWith("+++ b/");
            if (newFile || line.startsWith("@@")) {
                if (ofFile != null && before.length() > 0) {
                    ofFile.add(new Hunk(before.toString(), after.toString()));
                }
                before.setLength(0);
                after.setLength(0);
                ofFile = line.startsWith("+")
                        ? hunks.computeIfAbsent(line.substring("+++ b/".length()), file -> new ArrayList<>())
                        : ofFile;
            } else if (ofFile == null) {
                String[] entry = line.split(": ", 2);
                if (entry.length == 2) {
                    header.put(entry[0], entry[1]);
                }
            } else {
                String content = line.isEmpty() ? "" : line.substring(1);
                if (!line.startsWith("+")) {
                    before.append(content).append('\n');
                }
                if (!line.startsWith("-")) {
                    after.append(content).append('\n');
                }
            }
        }
        return new SeededFault(
                name,
                required(name, header, "What"),
                required(name, header, "Killer"),
                Suite.valueOf(required(name, header, "Suite").toUpperCase(Locale.ROOT)),
                header.containsKey("Hangs"),
                hunks);
    }

    private static String required(String name, Map<String, String> header, String key) {
        String value = header.get(key);
        if (value == null) {
            throw new IllegalArgumentException("patch does not say: name=" + name + ", missing=" + key);
        }
        return value;
    }

    /** The module whose code is changed. */
    public String module() {
        String file = hunks.keySet().iterator().next();
        return file.substring(0, file.indexOf('/'));
    }

    public String killerClass() {
        return "dev.buffers." + killer.substring(0, killer.indexOf('#'));
    }

    public String killerMethod() {
        return killer.substring(killer.indexOf('#') + 1);
    }

    /** The file's text with the fault in it. */
    public String plant(String file) throws IOException {
        String text = "\n" + Manual.page(file);
        StringBuilder planted = new StringBuilder();
        int done = 0;
        for (Hunk hunk : hunks.get(file)) { // in the order of the file
            String before = "\n" + hunk.before;
            int at = text.indexOf(before);
            if (at < done || text.indexOf(before, at + 1) >= 0) {
                throw new IllegalArgumentException("patch does not apply: name=" + name + ", file=" + file
                        + "; these lines are " + (at < 0 ? "not in it" : "in it more than once") + ":\n" + hunk.before);
            }
            planted.append(text, done, at).append('\n').append(hunk.after);
            done = at + before.length();
        }
        return planted.append(text, done, text.length()).substring(1);
    }

    /**
     * Compiles the changed classes, and returns the folder where they are.
     *
     * @param folder which is there for this fault alone
     * @throws IllegalArgumentException when the changed code does not compile
     */
    public Path compile(Path folder, List<String> classPath) throws IOException {
        Path classes = Files.createDirectories(folder.resolve("classes"));
        List<Path> sources = new ArrayList<>();
        for (String file : hunks.keySet()) {
            Path source = folder.resolve(Path.of(file).getFileName());
            Files.writeString(source, plant(file));
            sources.add(source);
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringBuilder said = new StringBuilder();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            List<String> options = List.of(
                    "--release",
                    "17",
                    "-nowarn",
                    "-proc:none",
                    "-implicit:none",
                    "-d",
                    classes.toString(),
                    "-cp",
                    String.join(File.pathSeparator, classPath));
            boolean compiled = compiler.getTask(
                            null,
                            files,
                            diagnostic -> said.append(diagnostic).append('\n'),
                            options,
                            null,
                            files.getJavaFileObjectsFromPaths(sources))
                    .call();
            if (!compiled) {
                throw new IllegalArgumentException("patch does not compile: name=" + name + "\n" + said);
            }
        }
        return classes;
    }
}
