package dev.buffers.bench.claims.copy;

import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;

/** Streams, and one array for all: what the source could have compared channels with. */
record WholeArrays(int buffer) implements Copier {

    @Override
    public void copy(Path from, Path to) throws IOException {
        byte[] bytes = new byte[buffer];
        try (InputStream in = new FileInputStream(from.toFile());
                OutputStream out = new FileOutputStream(to.toFile())) {
            for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
                out.write(bytes, 0, read);
            }
        }
    }
}
