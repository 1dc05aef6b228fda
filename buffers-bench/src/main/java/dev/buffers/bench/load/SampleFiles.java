package dev.buffers.bench.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Random;
import java.util.stream.Stream;

/** A temporary folder of files to serve: sizes from 200 bytes to 1 MiB, evenly spread on a logarithmic scale. */
public final class SampleFiles implements AutoCloseable {
    private static final int COUNT = 64;
    private static final int SMALLEST = 200;
    private static final int LARGEST = 1 << 20;
    private static final long SEED = 20070615;

    private final Path folder;
    private final Thread hook = new Thread(this::delete);

    private SampleFiles(Path folder) {
        this.folder = folder;
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Creates the files; they are deleted at the latest when this JVM ends. */
    public static SampleFiles create() throws IOException {
        SampleFiles files = new SampleFiles(Files.createTempDirectory("buffers-show-"));
        try {
            Random random = new Random(SEED);
            double step = Math.pow((double) LARGEST / SMALLEST, 1.0 / (COUNT - 1));
            for (int i = 0; i < COUNT; i++) {
                byte[] content = new byte[(int) Math.round(SMALLEST * Math.pow(step, i))];
                random.nextBytes(content);
                Files.write(files.folder.resolve(String.format("file-%02d.bin", i)), content);
            }
            return files;
        } catch (IOException e) {
            files.close();
            throw e;
        }
    }

    public Path folder() {
        return folder;
    }

    /** Deletes the folder. May be called again. */
    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // this JVM is ending, and the hook does the same
        }
        delete();
    }

    private void delete() {
        try (Stream<Path> paths = Files.walk(folder)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (NoSuchFileException e) {
            // deleted before
        } catch (IOException | UncheckedIOException e) {
            System.err.println("could not delete " + folder + ": " + e);
        }
    }
}
