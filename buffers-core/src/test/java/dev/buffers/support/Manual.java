// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.support;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The project's pages, wherever they lie, and the code that they quote from tests. */
public final class Manual {
    private static final Path MODULE = Path.of(System.getProperty("basedir", System.getProperty("user.dir")));
    private static final Pattern SNIPPET =
            Pattern.compile("^ *// tag::([a-z-]+)\n(.*?)^ *// end::\\1$", Pattern.MULTILINE | Pattern.DOTALL);

    private static final Pattern CODE = Pattern.compile("^```.*?^```$", Pattern.MULTILINE | Pattern.DOTALL);

    /** The project's folder. */
    public static final Path ROOT = MODULE.resolve("..").toAbsolutePath().normalize();

    private Manual() {}

    public static String page(String name) throws IOException {
        return read(ROOT.resolve(name));
    }

    public static String read(Path file) throws IOException {
        return Files.readString(file, UTF_8).replace("\r\n", "\n");
    }

    /** A file's name as the project sees it. */
    public static String name(Path file) {
        return ROOT.relativize(file).toString().replace('\\', '/');
    }

    /** Every page of the project. */
    public static List<Path> pages() throws IOException {
        return files(".md");
    }

    /** Every file of the project whose name ends so, except build output and hidden files. */
    public static List<Path> files(String end) throws IOException {
        TreeSet<Path> found = new TreeSet<>();
        Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                String name = folder.getFileName().toString();
                boolean ours = folder.equals(ROOT) || !name.equals("target") && !name.startsWith(".");
                return ours ? FileVisitResult.CONTINUE : FileVisitResult.SKIP_SUBTREE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (file.toString().endsWith(end)) {
                    found.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return List.copyOf(found);
    }

    /** A page without the text between ``` and ```. */
    public static String prose(Path page) throws IOException {
        return withoutCode(read(page));
    }

    /** A page's text without the text between ``` and ```. */
    public static String withoutCode(String text) {
        return CODE.matcher(text).replaceAll("");
    }

    /** The text between ``` and ``` on a page, of blocks in that language. */
    public static List<String> blocks(String page, String language) {
        Matcher block = Pattern.compile("^```" + language + "\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL)
                .matcher(page);
        List<String> blocks = new ArrayList<>();
        while (block.find()) {
            blocks.add(block.group(1));
        }
        return blocks;
    }

    /** The code of all modules between {@code // tag::name} and {@code // end::name}. */
    public static List<String> snippets() throws IOException {
        List<String> snippets = new ArrayList<>();
        for (Path source : files(".java")) {
            Matcher snippet = SNIPPET.matcher(read(source));
            while (snippet.find()) {
                snippets.add(snippet.group(2).stripTrailing().stripIndent() + "\n");
            }
        }
        return snippets;
    }
}
