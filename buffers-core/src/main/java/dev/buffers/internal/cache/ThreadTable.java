// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.cache;

import dev.buffers.internal.signals.PlacedSettings;
import dev.buffers.internal.signals.PoolName;
import dev.buffers.internal.slab.SlotOwner;
import org.jspecify.annotations.Nullable;

/**
 * The pool as its caches see it: the table in which a platform thread finds its own magazines.
 *
 * <p>Any thread. {@link #current} takes no atomic step. It is a superclass of the pool, so that a hit finds the table without another load.
 */
public abstract class ThreadTable extends SlotOwner {
    /*
     *   thread --id--> table --> ThreadCache --class--> Magazine --> slots --> Slot --> state
     *
     * Each of these loads needs the value of the one before it, and the compare-and-set that begins the tenancy needs the last. None of them
     * begins before the compare-and-set of the release that came before has ended. So one more object on this path shows (decision 022).
     *
     *   field      written by                                     mode      read by      mode
     *   table      ThreadCaches, under its lock                   volatile  any look-up  volatile
     *   elements   ThreadCaches, under its lock; an element is    release   any look-up  plain: a thread looks for the element that it
     *              never null again                                                      wrote itself
     */
    volatile ThreadCache[] table = new ThreadCache[16];

    public ThreadTable(PoolName name, PlacedSettings settings, int sizeClasses) {
        super(name, settings, sizeClasses);
    }

    /** The current platform thread's magazine; null when it has none yet, or when the thread is virtual. */
    public final @Nullable Magazine current(int sizeClass) {
        ThreadCache mine = mine();
        return mine == null ? null : mine.get(sizeClass);
    }

    final @Nullable ThreadCache mine() {
        Thread thread = Thread.currentThread();
        ThreadCache[] table = this.table;
        for (int at = (int) thread.getId() & table.length - 1; ; at = at + 1 & table.length - 1) {
            ThreadCache there = table[at];
            if (there == null || there.thread == thread) {
                return there;
            }
        }
    }
}
