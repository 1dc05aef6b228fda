package dev.buffers.bench.claims.copy;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/** Copies between two channels. */
interface ChannelCopier extends Copier {

    void copy(FileChannel in, FileChannel out) throws IOException;

    @Override
    default void copy(Path from, Path to) throws IOException {
        try (FileChannel in = FileChannel.open(from, READ);
                FileChannel out = FileChannel.open(to, WRITE, CREATE_NEW)) {
            copy(in, out);
        }
    }

    /** All by the channel's own {@code transferTo}: the source's third lane. */
    static void transferTo(FileChannel in, FileChannel out) throws IOException {
        long size = in.size();
        for (long position = 0; position < size; ) {
            position += in.transferTo(position, size - position, out);
        }
    }
}
