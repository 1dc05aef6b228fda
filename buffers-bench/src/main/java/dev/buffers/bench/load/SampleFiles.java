// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A temporary folder of files to serve: sizes from 200 bytes to 1 MiB, evenly spread on a logarithmic scale. */
public final class SampleFiles implements AutoCloseable {
    private static final int COUNT = 64;
    private static final int SMALLEST = 200;
    private static final int LARGEST = 1 << 20;
    private static final long SEED = 20070615;

    private final Path folder;
    private final List<Path> files = new ArrayList<>();

    private SampleFiles(Path folder) {
        this.folder = folder;
        folder.toFile().deleteOnExit();
    }

    /** Creates the files; they are deleted at the latest when this JVM ends. */
    public static SampleFiles create() throws IOException {
        SampleFiles made = new SampleFiles(Files.createTempDirectory("buffers-show-"));
        Random random = new Random(SEED);
        double step = Math.pow((double) LARGEST / SMALLEST, 1.0 / (COUNT - 1));
        for (int i = 0; i < COUNT; i++) {
            byte[] content = new byte[(int) Math.round(SMALLEST * Math.pow(step, i))];
            random.nextBytes(content);
            Path file = made.folder.resolve(String.format("file-%02d.bin", i));
            file.toFile().deleteOnExit();
            made.files.add(Files.write(file, content));
        }
        return made;
    }

    public Path folder() {
        return folder;
    }

    /** Deletes the folder. May be called again. */
    @Override
    public void close() {
        try {
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
            Files.deleteIfExists(folder);
        } catch (IOException e) {
            System.err.println("could not delete " + folder + ": " + e);
        }
    }
}
