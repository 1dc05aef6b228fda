package dev.buffers.bench.work;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.zip.CRC32;

/** A file of bytes that nobody could guess, in a temporary folder of its own, where there is room for what is made of it. */
public final class RandomFile implements AutoCloseable {
    private static final int CHUNK = 1 << 16;
    private static final long SEED = 8299336;

    private final Path folder;
    private final Path path;
    private final long crc;

    /** Writes the file, and so leaves it in the page cache. */
    public RandomFile(int bytes) throws IOException {
        folder = Files.createTempDirectory("buffers-bench-");
        folder.toFile().deleteOnExit();
        path = beside("source.bin");
        crc = write(bytes);
    }

    private long write(int bytes) throws IOException {
        Random random = new Random(SEED);
        CRC32 sum = new CRC32();
        byte[] chunk = new byte[CHUNK];
        try (OutputStream out = Files.newOutputStream(path)) {
            for (int left = bytes; left > 0; left -= CHUNK) {
                random.nextBytes(chunk);
                int length = Math.min(left, CHUNK);
                out.write(chunk, 0, length);
                sum.update(chunk, 0, length);
            }
        }
        return sum.getValue();
    }

    public Path path() {
        return path;
    }

    /** Of the content. */
    public long crc() {
        return crc;
    }

    /** A path in the same folder, deleted with it at the latest when the JVM exits. */
    public Path beside(String name) {
        Path other = folder.resolve(name);
        other.toFile().deleteOnExit();
        return other;
    }

    /** Deletes the file, and the folder when nothing else is left in it. */
    @Override
    public void close() throws IOException {
        Files.deleteIfExists(path);
        Files.deleteIfExists(folder);
    }
}
