package dev.buffers.bench.http;

import java.util.concurrent.locks.ReentrantLock;

/** A site that several threads take turns at: what it keeps is not made for more than one at a time. */
final class SharedSite implements AutoCloseable {
    private final Site site;
    private final ReentrantLock turn = new ReentrantLock();

    SharedSite(DocumentRoot root) {
        this.site = new Site(root);
    }

    Response answer(Request request, boolean last) {
        turn.lock();
        try {
            return site.answer(request, last, System.nanoTime());
        } finally {
            turn.unlock();
        }
    }

    /** Closes a response, which gives its file back. */
    void end(Response response) {
        turn.lock();
        try {
            response.close();
        } finally {
            turn.unlock();
        }
    }

    @Override
    public void close() {
        turn.lock();
        try {
            site.close();
        } finally {
            turn.unlock();
        }
    }
}
