package dev.buffers.bench.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A file held open while responses carry it, with the header lines that are the same in all of them. Closed
 * when the site has let go of it and the last response is out.
 */
final class OpenFile {
    private static final long TRUSTED_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final String UNKNOWN_TYPE = "application/octet-stream";
    private static final Map<String, String> TYPES = Map.ofEntries(
            Map.entry("css", "text/css; charset=utf-8"),
            Map.entry("csv", "text/csv; charset=utf-8"),
            Map.entry("gif", "image/gif"),
            Map.entry("htm", "text/html; charset=utf-8"),
            Map.entry("html", "text/html; charset=utf-8"),
            Map.entry("ico", "image/x-icon"),
            Map.entry("jpeg", "image/jpeg"),
            Map.entry("jpg", "image/jpeg"),
            Map.entry("js", "text/javascript; charset=utf-8"),
            Map.entry("json", "application/json"),
            Map.entry("md", "text/markdown; charset=utf-8"),
            Map.entry("pdf", "application/pdf"),
            Map.entry("png", "image/png"),
            Map.entry("svg", "image/svg+xml"),
            Map.entry("txt", "text/plain; charset=utf-8"),
            Map.entry("wasm", "application/wasm"),
            Map.entry("webp", "image/webp"),
            Map.entry("woff2", "font/woff2"),
            Map.entry("xml", "application/xml"));

    private final FileChannel channel;
    private final long size;
    private final String lastModified;
    private final String lines;
    private final long opened = System.nanoTime();
    private final AtomicInteger users = new AtomicInteger(1);

    private OpenFile(FileChannel channel, Path path) throws IOException {
        this.channel = channel;
        this.size = channel.size();
        this.lastModified = Site.date(Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                .lastModifiedTime()
                .toInstant());
        this.lines = "Content-Type: " + type(path.toString()) + "\r\nLast-Modified: " + lastModified
                + "\r\nAccept-Ranges: bytes\r\n";
    }

    /** By the ending of its name. */
    private static String type(String name) {
        String ending = name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
        return TYPES.getOrDefault(ending, UNKNOWN_TYPE);
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

    String lastModified() {
        return lastModified;
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
