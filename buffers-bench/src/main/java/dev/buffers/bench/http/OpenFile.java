package dev.buffers.bench.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;

/**
 * A file held open while responses carry it, with the header lines that are the same in all of them. Used by one worker; closed
 * when the cache has let go of it and the last response is out.
 */
final class OpenFile {
    private final Path path;
    private final FileChannel channel;
    private final long size;
    private final Instant modified;
    private final String lastModified;
    private final byte[] lines;
    private int users = 1;

    private OpenFile(Path path, FileChannel channel, long size, Instant modified) {
        this.path = path;
        this.channel = channel;
        this.size = size;
        this.modified = modified;
        this.lastModified = HttpDate.format(modified);
        this.lines = Ascii.bytes("Content-Type: "
                + ContentTypes.of(path)
                + "\r\nLast-Modified: "
                + lastModified
                + "\r\nAccept-Ranges: bytes\r\n");
    }

    /** Opens a real path, which must not have become a link meanwhile. The caller is its first user. */
    static OpenFile open(Path real) throws IOException {
        FileChannel channel = FileChannel.open(real, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
        try {
            return new OpenFile(real, channel, channel.size(), modified(real));
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    private static Instant modified(Path real) throws IOException {
        return Files.readAttributes(real, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                .lastModifiedTime()
                .toInstant();
    }

    /** Whether {@code real} still is this file, unchanged as far as its time and size tell. */
    boolean isStill(Path real) throws IOException {
        return path.equals(real) && modified.equals(modified(real)) && channel.size() == size;
    }

    /** Fills {@code out} from {@code position} on; fails when the file has become shorter than it was. */
    void read(ByteBuffer out, long position) throws IOException {
        long at = position;
        while (out.hasRemaining()) {
            int n = channel.read(out, at);
            if (n < 0) {
                throw new IOException("the file shrank while it was sent: position=" + at);
            }
            at += n;
        }
    }

    long size() {
        return size;
    }

    String lastModified() {
        return lastModified;
    }

    /** Content-Type, Last-Modified and Accept-Ranges. The array is not to be changed. */
    byte[] lines() {
        return lines;
    }

    OpenFile retain() {
        users++;
        return this;
    }

    void release() {
        if (--users == 0) {
            try {
                channel.close();
            } catch (IOException e) {
                // opened for reading only: nothing can be lost
            }
        }
    }
}
