// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.http;

import java.io.IOException;
import java.net.URLConnection;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A file that is held open, with the header lines that are the same in all responses that carry it. Threads share it.
 *
 * @param size when it was opened
 * @param lines Content-Type, Last-Modified and Accept-Ranges
 */
record OpenFile(FileChannel channel, long size, String lines) {

    /** Opens a file, which must be no link. */
    static OpenFile open(Path path) throws IOException {
        FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
        try {
            String modified = Site.date(
                    Files.getLastModifiedTime(path, LinkOption.NOFOLLOW_LINKS).toInstant());
            String lines = "Content-Type: " + type(path.toString()) + "\r\nLast-Modified: " + modified
                    + "\r\nAccept-Ranges: none\r\n";
            return new OpenFile(channel, channel.size(), lines);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /** By the ending of its name, as the JDK knows it. */
    private static String type(String name) {
        String known = URLConnection.guessContentTypeFromName(name);
        String type = known == null ? "application/octet-stream" : known;
        return type.startsWith("text/") ? type + "; charset=utf-8" : type;
    }

    /** Fills {@code out} from {@code position} on; fails when the file has become shorter than it was. */
    void read(ByteBuffer out, long position) throws IOException {
        long at = position;
        while (out.hasRemaining()) {
            int n = channel.read(out, at);
            if (n < 0) {
                throw new IOException("the file has become shorter: position=" + at);
            }
            at += n;
        }
    }
}
