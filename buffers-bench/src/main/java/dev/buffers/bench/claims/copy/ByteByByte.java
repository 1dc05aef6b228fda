package dev.buffers.bench.claims.copy;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;

/** Buffered streams, and one call to read and one to write for each byte: the source's first lane. */
record ByteByByte(int buffer) implements Copier {

    @Override
    public void copy(Path from, Path to) throws IOException {
        try (InputStream in = new BufferedInputStream(new FileInputStream(from.toFile()), buffer);
                OutputStream out = new BufferedOutputStream(new FileOutputStream(to.toFile()), buffer)) {
            for (int next = in.read(); next >= 0; next = in.read()) {
                out.write(next);
            }
        }
    }
}
