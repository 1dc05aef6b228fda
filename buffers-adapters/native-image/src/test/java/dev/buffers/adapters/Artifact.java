// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.adapters;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.tree.ClassNode;

/** What we publish under one name: its classes, read and not loaded, and its metadata. */
record Artifact(String name, Map<String, ClassNode> classes, Metadata metadata) {
    private static final Pattern NAME =
            Pattern.compile("(?:.*/)?(buffers-[a-z0-9-]+?)(?:/target/classes|-[0-9][^/]*\\.jar)");

    /** All of the class path. */
    static List<Artifact> all() throws IOException {
        List<Artifact> artifacts = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            Matcher name = NAME.matcher(entry.replace('\\', '/'));
            if (name.matches()) {
                artifacts.add(of(name.group(1), Path.of(entry)));
            }
        }
        return artifacts;
    }

    private static Artifact of(String name, Path root) throws IOException {
        if (Files.isDirectory(root)) {
            return in(name, root);
        }
        try (FileSystem jar = FileSystems.newFileSystem(URI.create("jar:" + root.toUri()), Map.of())) {
            return in(name, jar.getPath("/"));
        }
    }

    private static Artifact in(String name, Path root) throws IOException {
        Map<String, ClassNode> classes = new TreeMap<>();
        try (Stream<Path> files = Files.walk(root.resolve("dev/buffers"))) {
            for (Path file :
                    (Iterable<Path>) files.filter(file -> file.toString().endsWith(".class"))::iterator) {
                ClassNode node = new ClassNode();
                new ClassReader(Files.readAllBytes(file)).accept(node, 0);
                classes.put(node.name.replace('/', '.'), node);
            }
        }
        Path metadata = root.resolve("META-INF/native-image/dev.buffers").resolve(name);
        return new Artifact(name, classes, Metadata.read(metadata.resolve("reachability-metadata.json")));
    }
}
