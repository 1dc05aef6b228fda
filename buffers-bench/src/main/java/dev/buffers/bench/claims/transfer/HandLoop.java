package dev.buffers.bench.claims.transfer;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** The loop of {@link InputStream#transferTo}, with a new array of any size for each transfer. */
record HandLoop(int buffer) implements Mover {

    @Override
    public void move(InputStream in, OutputStream out) throws IOException {
        byte[] bytes = new byte[buffer];
        for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
            out.write(bytes, 0, read);
        }
    }
}
