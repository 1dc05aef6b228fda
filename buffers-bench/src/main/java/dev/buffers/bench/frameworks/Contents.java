package dev.buffers.bench.frameworks;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

/** The files of a folder in memory, by the path that asks for them. Immutable. */
final class Contents {
    private final Path root;
    private final Map<String, byte[]> files = new HashMap<>();

    Contents(Path root) throws IOException {
        this.root = root;
        try (Stream<Path> paths = Files.list(root)) {
            for (Path path : paths.toList()) {
                files.put("/" + path.getFileName(), Files.readAllBytes(path));
            }
        }
    }

    Path root() {
        return root;
    }

    byte[] of(String path) throws FileNotFoundException {
        byte[] content = files.get(path);
        if (content == null) {
            throw new FileNotFoundException("no such file: path=" + path + ", root=" + root);
        }
        return content;
    }
}
