// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.guard;

import dev.buffers.internal.failsafe.IntrusiveList;
import dev.buffers.internal.signals.Callbacks;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Who waits for memory: one queue for each size class. Any thread; a short lock, under which nothing is called. */
final class Waiters {
    private final IntrusiveList<Waiter>[] rows;
    private long tickets;
    private int size;

    @SuppressWarnings({"unchecked", "rawtypes"})
    Waiters(int rows) {
        this.rows = new IntrusiveList[rows];
        Arrays.setAll(this.rows, row -> new IntrusiveList<>());
    }

    /** A thread, or a wake-up. */
    static final class Waiter {
        final int row;
        final int capacity;
        final long since = System.nanoTime();
        final Callbacks.@Nullable Callback wake;
        final IntrusiveList.Link<Waiter> link = new IntrusiveList.Link<>(this);
        private final Thread thread = Thread.currentThread();
        private long ticket;
        private volatile @Nullable Block given;

        Waiter(int row, int capacity, Callbacks.@Nullable Callback wake) {
            this.row = row;
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
        waiter.ticket = ++tickets;
        rows[waiter.row].add(waiter.link);
        size++;
    }

    /** False when it was given a block, or has left. */
    synchronized boolean remove(Waiter waiter) {
        boolean was = rows[waiter.row].remove(waiter.link); // a wake-up that is due is in another list
        size -= was ? 1 : 0;
        return was;
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

    synchronized boolean isWaited(int row) {
        return !rows[row].isEmpty();
    }

    synchronized int size() {
        return size;
    }

    /** The bytes that the first waiter of the smallest class needs; 0 without any. */
    synchronized int leastBytes() {
        for (IntrusiveList<Waiter> row : rows) {
            Waiter first = row.peek();
            if (first != null) {
                return first.capacity;
            }
        }
        return 0;
    }

    /** The waiter that came first, of those first in a row that is not excepted. */
    synchronized @Nullable Waiter oldest(boolean[] excepted) {
        Waiter oldest = null;
        for (int row = 0; row < rows.length; row++) {
            Waiter first = excepted[row] ? null : rows[row].peek();
            oldest = first != null && (oldest == null || first.ticket < oldest.ticket) ? first : oldest;
        }
        return oldest;
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
        for (IntrusiveList<Waiter> row : rows) {
            Waiter waiter = row.poll();
            if (waiter != null) {
                size--;
                return waiter;
            }
        }
        return null;
    }
}
