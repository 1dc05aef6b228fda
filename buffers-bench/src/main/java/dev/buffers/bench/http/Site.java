package dev.buffers.bench.http;

import dev.buffers.bench.http.Request.Method;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What is answered to requests: files, or why not. The files that it served last it keeps open, the 128 that were used last; each is opened
 * again after a second, so that one that was changed, replaced or taken away is noticed then. The threads that share it take turns, by a
 * lock at which virtual threads may wait.
 */
final class Site implements AutoCloseable {
    private static final int CAPACITY = 128;

    /** A request body up to this size is skipped; a longer one ends the connection. */
    private static final long MAX_SKIPPED_BODY = 65_536;

    private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US)
            .withZone(ZoneOffset.UTC);

    private final DocumentRoot root;
    private final ReentrantLock turn = new ReentrantLock();
    private final Map<String, OpenFile> files = new LinkedHashMap<>(16, 0.75f, true);
    private long second = -1;
    private String now = "";

    Site(DocumentRoot root) {
        this.root = root;
    }

    /**
     * Answers a request. The response must be closed.
     *
     * @param last whether it is the last that its connection may send
     */
    Response answer(Request request, boolean last) {
        boolean bodyFits = request.contentLength() <= MAX_SKIPPED_BODY;
        boolean keepAlive = request.keepAlive() && bodyFits && !request.expects() && !last;
        boolean withBody = request.method() != Method.HEAD;
        turn.lock();
        try {
            if (request.method() == Method.OTHER) {
                return error(Status.METHOD_NOT_ALLOWED, "Allow: GET, HEAD\r\n", withBody, keepAlive);
            }
            if (!bodyFits) {
                return error(Status.CONTENT_TOO_LARGE, "", withBody, false);
            }
            return Response.ofFile(now(), open(request.target()).retain(), withBody, keepAlive);
        } catch (Refusal refusal) {
            return error(refusal.status(), "", withBody, keepAlive);
        } finally {
            turn.unlock();
        }
    }

    /** Answers what is no request, with which the connection ends. Needs no turn. */
    static Response refuse(Status status) {
        return Response.ofError(date(Instant.now()), status, "", true, false);
    }

    private Response error(Status status, String lines, boolean withBody, boolean keepAlive) {
        return Response.ofError(now(), status, lines, withBody, keepAlive);
    }

    private OpenFile open(String target) throws Refusal {
        OpenFile known = files.get(target);
        if (known != null && known.isFresh()) {
            return known;
        }
        forget(target);
        try {
            OpenFile file = OpenFile.open(root.find(target));
            files.put(target, file);
            if (files.size() > CAPACITY) {
                forget(files.keySet().iterator().next());
            }
            return file;
        } catch (NoSuchFileException e) {
            throw new Refusal(Status.NOT_FOUND, "no such file");
        } catch (IOException e) {
            throw new Refusal(Status.SERVICE_UNAVAILABLE, "cannot open the file: " + e);
        }
    }

    private void forget(String target) {
        OpenFile file = files.remove(target);
        if (file != null) {
            file.release();
        }
    }

    /** Formatted once a second. */
    private String now() {
        long current = System.currentTimeMillis() / 1000;
        if (current != second) {
            second = current;
            now = date(Instant.ofEpochSecond(current));
        }
        return now;
    }

    /** As HTTP writes it. */
    static String date(Instant instant) {
        return DATE.format(instant);
    }

    @Override
    public void close() {
        turn.lock();
        try {
            files.values().forEach(OpenFile::release);
            files.clear();
        } finally {
            turn.unlock();
        }
    }
}
