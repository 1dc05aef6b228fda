// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.cache;

import dev.buffers.internal.slab.SizeClasses;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** The magazines of one thread, or of one stripe. */
public final class ThreadCache {
    private static final VarHandle BY_CLASS = MethodHandles.arrayElementVarHandle(Magazine[].class);

    /** Whether virtual threads share it. */
    final boolean isStripe;

    /** The owner, null for a stripe, and once the pool is closed. A strong reference: a live thread is reachable anyway. */
    @Nullable Thread thread;

    /** The first id that the thread returned; the table finds it by this id. */
    final long id;

    /** The magazines, by class plus one: the first element, for slabs without a class, is always null. */
    private final @Nullable Magazine[] byClass;

    /** The same magazines, linked: most threads use few classes. */
    private volatile @Nullable Magazine first;

    /** Bytes that these magazines may hold. */
    public long granted;

    /** How often the thread has missed since the tick {@code missedIn}. */
    int misses;

    private int missedIn;

    public ThreadCache(@Nullable Thread thread, int sizeClasses) {
        this.isStripe = thread == null;
        this.thread = thread;
        this.id = thread == null ? 0 : thread.getId();
        this.byClass = new Magazine[sizeClasses + 1];
    }

    /** Called by the owner at each miss. */
    void missed(int tick) {
        misses = missedIn == tick ? misses + 1 : 1;
        missedIn = tick;
    }

    /** Called by the owner for its own magazines: no other thread has written them. */
    @Nullable Magazine get(int sizeClass) {
        return byClass[sizeClass - SizeClasses.OVERSIZE];
    }

    /** Called by any thread: the magazine of a stripe may have been written by another thread. */
    public @Nullable Magazine getAcquire(int sizeClass) {
        return (Magazine) BY_CLASS.getAcquire(byClass, sizeClass - SizeClasses.OVERSIZE);
    }

    /** Called by any thread: one of the magazines, which links to the others. */
    @Nullable Magazine firstVolatile() {
        return first;
    }

    /** Puts in the magazine of a class that had none. */
    public void setRelease(int sizeClass, Magazine magazine) {
        magazine.sizeClass = sizeClass;
        magazine.next = first;
        first = magazine;
        BY_CLASS.setRelease(byClass, sizeClass - SizeClasses.OVERSIZE, magazine);
    }
}
