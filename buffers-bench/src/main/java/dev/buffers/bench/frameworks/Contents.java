// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.frameworks;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

/** The files of a folder in memory, by the path that asks for them. */
record Contents(Path root, Map<String, byte[]> files) {

    static Contents read(Path root) throws IOException {
        Map<String, byte[]> files = new HashMap<>();
        try (Stream<Path> paths = Files.list(root)) {
            for (Path path : paths.toList()) {
                files.put("/" + path.getFileName(), Files.readAllBytes(path));
            }
        }
        return new Contents(root, files);
    }

    byte[] of(String path) throws FileNotFoundException {
        byte[] content = files.get(path);
        if (content == null) {
            throw new FileNotFoundException("no such file: path=" + path + ", root=" + root);
        }
        return content;
    }
}
