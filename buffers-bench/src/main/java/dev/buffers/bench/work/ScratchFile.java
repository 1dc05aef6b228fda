// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.work;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file for a fork's I/O, in memory where the system has such files: the figures are those of Java, not of a disk. */
final class ScratchFile {
    /** How far a file is written or read before it is taken from its beginning again. */
    static final int BOUND = 8 << 20;

    private static final Path MEMORY = Path.of("/dev/shm");

    private ScratchFile() {}

    /** An empty file, which its user deletes. */
    static Path create() throws IOException {
        return Files.isWritable(MEMORY)
                ? Files.createTempFile(MEMORY, "buffers-", ".claim")
                : Files.createTempFile("buffers-", ".claim");
    }
}
