// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.support;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/** Another thread that does one thing at a time while the first one waits for it; when it has died, the next one takes its place. */
final class SecondThread {
    private final ThreadFactory factory;
    private final SynchronousQueue<FutureTask<Object>> tasks = new SynchronousQueue<>();
    private Thread thread;

    SecondThread(ThreadFactory factory) {
        this.factory = factory;
    }

    /** Returns when it is done, and fails as it failed. */
    void run(Threads.Action action) throws Exception {
        if (thread == null) {
            thread = factory.newThread(this::serve);
            thread.setDaemon(true);
            thread.start();
        }
        FutureTask<Object> task = new FutureTask<>(() -> {
            action.run();
            return null;
        });
        tasks.put(task);
        try {
            task.get(60, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Error error ? error : new AssertionError(e.getCause());
        }
    }

    private void serve() {
        try {
            while (true) {
                tasks.take().run();
            }
        } catch (InterruptedException e) {
            // its end
        }
    }

    /** It is dead when this returns. */
    void die() throws InterruptedException {
        if (thread != null) {
            thread.interrupt();
            Threads.join(thread);
            thread = null;
        }
    }
}
