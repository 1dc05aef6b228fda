// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.http;

import dev.buffers.bench.http.Request.Method;
import dev.buffers.bench.net.LoopbackServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The answers to requests: a file, or an error. A site has the files that were in a folder when it was made, and keeps all of them open: so
 * no target leads to any other file, and none is looked up in the file system. Links are left out. Threads share a site.
 */
final class Site implements AutoCloseable {
    private static final String INDEX = "index.html";
    private static final String SCHEME = "http";
    private static final String SITE = SCHEME + "://site";

    /** A request body up to this size is skipped; a longer one ends the connection. */
    private static final long MAX_SKIPPED_BODY = 65_536;

    private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US)
            .withZone(ZoneOffset.UTC);

    private final Map<String, OpenFile> files = new HashMap<>();
    private volatile Second now = new Second(-1, "");

    private record Second(long number, String date) {}

    Site(Path folder) throws IOException {
        Path root = folder.toRealPath();
        if (!Files.isDirectory(root)) {
            throw new IOException("no folder: root=" + folder);
        }
        try {
            for (Path file : files(root)) {
                add("/" + root.toUri().relativize(file.toUri()).getPath(), OpenFile.open(file));
            }
        } catch (IOException | URISyntaxException e) {
            close();
            throw new IOException("cannot serve root=" + folder + ": " + e, e);
        }
    }

    private static List<Path> files(Path root) throws IOException {
        try (Stream<Path> all = Files.walk(root)) {
            return all.filter(path -> Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS) && Files.isReadable(path))
                    .toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** Names that are not UTF-8 can be encoded alike: the later file replaces the earlier one. */
    private void add(String path, OpenFile file) throws URISyntaxException {
        OpenFile before = files.put(encoded(path), file);
        if (before != null) {
            LoopbackServer.abandon(before.channel());
        }
        if (path.endsWith("/" + INDEX)) {
            files.put(encoded(path.substring(0, path.length() - INDEX.length())), file);
        }
    }

    /**
     * Answers a request.
     *
     * @param last whether it is the last that its connection may send
     */
    Response answer(Request request, boolean last) {
        boolean bodyFits = request.contentLength() <= MAX_SKIPPED_BODY;
        boolean keepAlive = request.keepAlive() && bodyFits && !request.expects() && !last;
        boolean withBody = request.method() != Method.HEAD;
        if (request.method() == Method.OTHER) {
            return Response.ofError(now(), Status.METHOD_NOT_ALLOWED, "Allow: GET, HEAD\r\n", withBody, keepAlive);
        }
        if (!bodyFits) {
            return Response.ofError(now(), Status.CONTENT_TOO_LARGE, "", withBody, false);
        }
        try {
            OpenFile file = find(request.target());
            return file == null
                    ? Response.ofError(now(), Status.NOT_FOUND, "", withBody, keepAlive)
                    : Response.ofFile(now(), file, withBody, keepAlive);
        } catch (URISyntaxException e) {
            return Response.ofError(now(), Status.BAD_REQUEST, "", withBody, keepAlive);
        }
    }

    /** The file that a target names, a path or a URL: nearly always as it is encoded here. A query is ignored. */
    private @Nullable OpenFile find(String target) throws URISyntaxException {
        OpenFile file = files.get(target);
        if (file != null) {
            return file;
        }
        int query = target.indexOf('?');
        String named = query < 0 ? target : target.substring(0, query);
        URI uri = new URI(named.startsWith("/") ? SITE + named : named);
        boolean complete = SCHEME.equalsIgnoreCase(uri.getScheme()) && uri.getRawAuthority() != null;
        return complete ? files.get(encoded(uri.getPath().isEmpty() ? "/" : uri.getPath())) : null;
    }

    /** A path as the targets of requests are mostly written. */
    private static String encoded(String path) throws URISyntaxException {
        return new URI(null, null, path, null).toASCIIString();
    }

    /** Answers input that is no request; the connection ends with this answer. */
    static Response refuse(Status status) {
        return Response.ofError(date(Instant.now()), status, "", true, false);
    }

    /** Formatted once a second. */
    private String now() {
        long number = System.currentTimeMillis() / 1000;
        Second known = now;
        if (known.number != number) {
            known = new Second(number, date(Instant.ofEpochSecond(number)));
            now = known;
        }
        return known.date;
    }

    /** As HTTP writes it. */
    static String date(Instant instant) {
        return DATE.format(instant);
    }

    /** Closes the files. They must not be used any more. */
    @Override
    public void close() {
        for (OpenFile file : files.values()) {
            LoopbackServer.abandon(file.channel());
        }
    }
}
