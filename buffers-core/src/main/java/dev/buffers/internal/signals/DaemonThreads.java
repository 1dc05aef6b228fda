// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.signals;

import java.security.AccessController;
import java.security.PrivilegedAction;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Makes the library's own threads. They hold no class loader but this library's: they are daemons in the root thread group, with no context
 * class loader, no inherited thread-locals, and only this class's protection domain.
 *
 * @param name the name of each thread
 */
public record DaemonThreads(String name) implements ThreadFactory {

    /** The daemon that looks after all pools; null without one. Used by {@code MaintenanceThread}. */
    public static final AtomicReference<@Nullable Thread> MAINTENANCE = new AtomicReference<>();

    @Override
    @SuppressWarnings("removal") // until 24 a thread keeps the protection domains of its creator
    public Thread newThread(Runnable task) {
        return AccessController.doPrivileged((PrivilegedAction<Thread>) () -> {
            ThreadGroup root = Thread.currentThread().getThreadGroup();
            while (root.getParent() != null) {
                root = root.getParent();
            }
            Thread made = new Thread(root, task, name, 0, false);
            made.setDaemon(true);
            made.setContextClassLoader(null);
            return made;
        });
    }
}
