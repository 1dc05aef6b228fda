package dev.buffers.bench.http;

import dev.buffers.bench.http.Request.Method;
import org.jspecify.annotations.Nullable;

/** What one worker answers to requests: files, or why not. */
final class Site implements AutoCloseable {

    /** A request body up to this size is skipped; a longer one ends the connection. */
    static final long MAX_SKIPPED_BODY = 65_536;

    private final OpenFiles files;

    Site(DocumentRoot root) {
        this.files = new OpenFiles(root);
    }

    /**
     * Answers a request.
     *
     * @param last whether it is the last that its connection may send
     */
    Response answer(Request request, boolean last, long now) {
        boolean bodyFits = request.contentLength() <= MAX_SKIPPED_BODY;
        boolean keepAlive = request.keepAlive() && bodyFits && !request.expects() && !last;
        boolean withBody = request.method() != Method.HEAD;
        if (request.method() == Method.OTHER) {
            String allow = "Allow: GET, HEAD\r\n";
            return Response.ofError(Status.METHOD_NOT_ALLOWED, allow, withBody, keepAlive);
        }
        if (!bodyFits) {
            return Response.ofError(Status.CONTENT_TOO_LARGE, "", withBody, false);
        }
        OpenFile file;
        try {
            file = files.open(request.target(), now);
        } catch (Refusal refusal) {
            return Response.ofError(refusal.status(), "", withBody, keepAlive);
        }
        try {
            return Response.ofFile(file, range(request, file), withBody, keepAlive);
        } catch (Refusal refusal) {
            file.release();
            String size = "Content-Range: bytes */" + file.size() + "\r\n";
            return Response.ofError(refusal.status(), size, withBody, keepAlive);
        }
    }

    /** The part asked for; null for all, also when If-Range names another version of the file. */
    private static @Nullable ByteRange range(Request request, OpenFile file) throws Refusal {
        String range = request.range();
        boolean stale = request.ifRange() != null && !file.lastModified().equals(request.ifRange());
        return range == null || stale || request.method() != Method.GET ? null : ByteRange.of(range, file.size());
    }

    @Override
    public void close() {
        files.close();
    }
}
