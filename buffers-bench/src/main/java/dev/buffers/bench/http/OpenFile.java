package dev.buffers.bench.http;

import java.io.IOException;
import java.net.URLConnection;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A file held open while responses carry it, with the header lines that are the same in all of them. Closed
 * when the site has let go of it and the last response is out.
 */
final class OpenFile {
    private static final long TRUSTED_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final FileChannel channel;
    private final long size;
    private final String lines;
    private final long opened = System.nanoTime();
    private final AtomicInteger users = new AtomicInteger(1);

    private OpenFile(FileChannel channel, Path path) throws IOException {
        this.channel = channel;
        this.size = channel.size();
        Instant modified = Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                .lastModifiedTime()
                .toInstant();
        this.lines = "Content-Type: " + type(path.toString()) + "\r\nLast-Modified: " + Site.date(modified)
                + "\r\nAccept-Ranges: none\r\n";
    }

    /** By the ending of its name, as the JDK knows it. */
    private static String type(String name) {
        String known = URLConnection.guessContentTypeFromName(name);
        String type = known == null ? "application/octet-stream" : known;
        return type.startsWith("text/") ? type + "; charset=utf-8" : type;
    }

    /** Opens a real path, which must not have become a link meanwhile. The caller is its first user. */
    static OpenFile open(Path real) throws IOException {
        FileChannel channel = FileChannel.open(real, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
        try {
            return new OpenFile(channel, real);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /** Whether it was opened so lately that it is taken for unchanged. */
    boolean isFresh() {
        return System.nanoTime() - opened <= TRUSTED_NANOS;
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

    /** Content-Type, Last-Modified and Accept-Ranges. */
    String lines() {
        return lines;
    }

    /** Adds a user; called by one that is. */
    OpenFile retain() {
        users.incrementAndGet();
        return this;
    }

    void release() {
        if (users.decrementAndGet() == 0) {
            try {
                channel.close();
            } catch (IOException e) {
                // opened for reading only: nothing can be lost
            }
        }
    }
}
