// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.work;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.zip.CRC32;
import java.util.zip.CheckedOutputStream;

/** A temporary file of unpredictable bytes, and their checksum. */
record RandomFile(Path path, long crc) implements Closeable {
    private static final int CHUNK = 1 << 16;
    private static final long SEED = 8299336;

    /** Writes a file, and so leaves it in the page cache. */
    static RandomFile create(int bytes) throws IOException {
        Path path = Files.createTempFile("buffers-bench-", ".bin");
        path.toFile().deleteOnExit();
        Random random = new Random(SEED);
        byte[] chunk = new byte[CHUNK];
        try (CheckedOutputStream out = new CheckedOutputStream(Files.newOutputStream(path), new CRC32())) {
            for (int left = bytes; left > 0; left -= CHUNK) {
                random.nextBytes(chunk);
                out.write(chunk, 0, Math.min(left, CHUNK));
            }
            return new RandomFile(path, out.getChecksum().getValue());
        }
    }

    @Override
    public void close() throws IOException {
        Files.deleteIfExists(path);
    }
}
