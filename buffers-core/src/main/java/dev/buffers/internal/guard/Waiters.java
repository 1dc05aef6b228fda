// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.guard;

import dev.buffers.internal.failsafe.IntrusiveList;
import dev.buffers.internal.signals.Callbacks;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Who waits for memory, in the order of arrival. Any thread; a short lock, under which nothing is called. */
final class Waiters {
    private final IntrusiveList<Waiter> waiting = new IntrusiveList<>();

    /** A thread, or a wake-up. */
    static final class Waiter {
        final int sizeClass;
        final int capacity;
        final long since = System.nanoTime();
        final Callbacks.@Nullable Callback wake;
        final IntrusiveList.Link<Waiter> link = new IntrusiveList.Link<>(this);
        private final Thread thread = Thread.currentThread();
        private volatile @Nullable Block given;

        Waiter(int sizeClass, int capacity, Callbacks.@Nullable Callback wake) {
            this.sizeClass = sizeClass;
            this.capacity = capacity;
            this.wake = wake;
        }

        /** What it was given, for its thread alone: it is given no more until it is added again. */
        @Nullable Block takeGiven() {
            Block block = given;
            given = null;
            return block;
        }
    }

    synchronized void add(Waiter waiter) {
        waiting.add(waiter.link);
    }

    /** False when it was given a block, or has left. */
    synchronized boolean remove(Waiter waiter) {
        return waiting.remove(waiter.link); // a wake-up that is due is in another list
    }

    /** Gives a block to a waiter that waits, and removes it. Wakes its thread, unless it is a wake-up. */
    boolean give(Waiter waiter, Block block) {
        synchronized (this) {
            if (!remove(waiter)) {
                return false;
            }
            waiter.given = block;
        }
        if (waiter.wake == null) {
            LockSupport.unpark(waiter.thread);
        }
        return true;
    }

    synchronized int size() {
        return waiting.size();
    }

    synchronized boolean isWaited(int sizeClass) {
        IntrusiveList.Link<Waiter> link = waiting.first();
        while (link != null && link.it.sizeClass != sizeClass) {
            link = link.next();
        }
        return link != null;
    }

    /** The bytes that the most modest waiter needs; 0 without any. */
    synchronized int leastBytes() {
        int least = 0;
        for (IntrusiveList.Link<Waiter> link = waiting.first(); link != null; link = link.next()) {
            least = least == 0 ? link.it.capacity : Math.min(least, link.it.capacity);
        }
        return least;
    }

    /** The waiter that came first, without those for these size classes. */
    synchronized @Nullable Waiter oldest(Set<Integer> excepted) {
        IntrusiveList.Link<Waiter> link = waiting.first();
        while (link != null && excepted.contains(link.it.sizeClass)) {
            link = link.next();
        }
        return link == null ? null : link.it;
    }

    /** Removes all, and wakes their threads; returns the wake-ups. */
    IntrusiveList<Waiter> close() {
        IntrusiveList<Waiter> wakeUps = new IntrusiveList<>();
        for (Waiter waiter = poll(); waiter != null; waiter = poll()) {
            if (waiter.wake == null) {
                LockSupport.unpark(waiter.thread);
            } else {
                wakeUps.add(waiter.link);
            }
        }
        return wakeUps;
    }

    private synchronized @Nullable Waiter poll() {
        return waiting.poll();
    }
}
