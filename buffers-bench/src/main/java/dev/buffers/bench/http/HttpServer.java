// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.http;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/** A web server on selectors: the connections are dealt out to the workers in turn. */
public final class HttpServer extends Server {
    private final List<Worker> workers = new ArrayList<>();
    private int next;

    /** Starts a server that takes its buffers from {@code source}, which it does not close. */
    public HttpServer(ServerOptions options, BufferSource source) throws IOException {
        super(options, source);
        for (int i = 0; i < options.workers(); i++) {
            workers.add(new Worker(this));
        }
        workers.forEach(Worker::start);
        beginAccepting();
    }

    @Override
    protected void take(SocketChannel channel) throws IOException {
        workers.get(next).adopt(channel);
        next = (next + 1) % workers.size();
    }

    @Override
    protected void stop() throws InterruptedException {
        workers.forEach(Worker::stop);
        for (Worker worker : workers) {
            worker.join();
        }
        site().close();
    }
}
