// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.io;

import dev.buffers.BufferPool;
import dev.buffers.PoolSettings;
import dev.buffers.PoolStats;
import dev.buffers.PooledBuffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.CompletionHandler;
import java.nio.channels.InterruptedByTimeoutException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** One asynchronous transfer. One operation is in flight at a time, and the thread that completes it continues the transfer. */
final class AsyncTransfer implements CompletionHandler<Integer, AsyncTransfer> {
    /*
     * An operation may complete before the call that starts it returns, on that thread or on another. So the starter, when its call
     * returns, and the handler both set `turn`, and the later of the two continues:
     *
     *   STARTING --starter--> IN_FLIGHT --handler--> COMPLETE   the handler continues
     *   STARTING --handler--> COMPLETE                          the starter continues when its call has returned
     *
     * A1  The stack does not grow with operations that complete at once: the handler returns to its starter.
     * A2  The lease ends exactly once, in end(), when no operation is in flight; and before the future completes.
     * A3  Memory that an operation may still use is discarded: after a timeout of a channel that is not known to end it (End), and when a
     *     start threw an Error. Any other exception of a start says that nothing was started; an exception given to a handler says that
     *     the operation is over.
     * A4  A transfer that is likely to end so uses separate memory, which the operation itself keeps alive: when it has one of our
     *     timeouts, or when much of the pool is retired already. So timeouts never use up the cap, nor do failures with arenas.
     *
     *   field                  written by                            read by                 mode
     *   turn                   starter, handler                      both                    volatile, compare-and-set
     *   result, failure        handler, before turn                  the one that continues  plain
     *   all others             the one that continues, before start  the one that continues  plain
     */
    private static final int STARTING = 0;
    private static final int IN_FLIGHT = 1;
    private static final int COMPLETE = 2;

    /** As a part of the cap: when more is retired, a transfer whose channel may time out takes no memory of the pool. */
    private static final int MOST_RETIRED = 8;

    private final CompletableFuture<Long> future = new CompletableFuture<>();
    private final AtomicInteger turn = new AtomicInteger(COMPLETE);

    /** Null if the chunk is separate memory (A4). */
    private final @Nullable PooledBuffer lease;

    private final ByteBuffer chunk;

    /** Whether the guard could take the JDK's hold on the arena for an operation in flight. */
    private final boolean discardsAfterFailure;

    private final int size;
    private final long max;
    private final boolean fromFile;
    private final End read;
    private final End write;

    private long moved;
    private boolean writing;

    /** The chunk's position and limit when the operation in flight was started. */
    private int from;

    private int to;

    private int result;
    private @Nullable Throwable failure;

    @FunctionalInterface
    interface Operation {
        /** Starts a read or a write of one end; {@code moved} bytes came before it. */
        void start(ByteBuffer chunk, long moved, AsyncTransfer handler);
    }

    /**
     * One end of a transfer.
     *
     * @param operation its reads, or its writes
     * @param outlives whether an operation that timed out may continue until its channel is closed
     * @param timed whether we set a timeout; otherwise only the channel itself decides when it is out of time
     */
    record End(Operation operation, boolean outlives, boolean timed) {

        /** Whether timeouts of this end could use up the pool (A4). */
        private boolean needsOwnMemory(BufferPool pool) {
            if (outlives && timed) {
                return true;
            } else if (!outlives && !mayHaveArenas(pool)) {
                return false;
            }
            PoolStats now = pool.stats();
            return now.lostBytes() + now.droppedBytes() > now.maxBytes() / MOST_RETIRED;
        }
    }

    /** On Unix the JDK never lets go of an arena whose operation has failed. */
    private static boolean mayHaveArenas(BufferPool pool) {
        PoolSettings settings = pool.settings();
        return settings.policy().direct() && (settings.guard() || settings.free() == PoolSettings.Freeing.PROMPT);
    }

    private AsyncTransfer(BufferPool pool, int size, long max, boolean fromFile, End read, End write) {
        this.lease = read.needsOwnMemory(pool) || write.needsOwnMemory(pool) ? null : pool.acquire(size);
        this.chunk = lease == null ? ByteBuffer.allocate(size) : lease.buffer();
        this.discardsAfterFailure = pool.settings().guard() && mayHaveArenas(pool);
        this.size = StreamLease.atOnce(chunk, size);
        this.max = max;
        this.fromFile = fromFile;
        this.read = read;
        this.write = write;
    }

    /** Begins a transfer. {@code fromFile}: bytes that were read and not written are not lost. */
    static CompletableFuture<Long> begin(BufferPool pool, int size, long max, boolean fromFile, End read, End write) {
        if (max == 0) {
            return CompletableFuture.completedFuture(0L);
        }
        AsyncTransfer transfer;
        try {
            transfer = new AsyncTransfer(pool, size, max, fromFile, read, write);
        } catch (Throwable e) { // also a checked exception of a policy
            PartialTransferException.addTo(e, 0, new byte[0]);
            return CompletableFuture.failedFuture(e);
        }
        transfer.run();
        return transfer.future;
    }

    /** Starts operations until one is in flight, or the transfer has ended. */
    private void run() {
        while (!future.isDone() && moved < max) {
            if (!writing) {
                chunk.clear().limit((int) Math.min(size, max - moved));
            }
            from = chunk.position();
            to = chunk.limit();
            turn.set(STARTING);
            try {
                (writing ? write : read).operation.start(chunk, moved, this);
            } catch (Throwable e) { // other languages throw checked exceptions from anywhere
                if (turn.compareAndSet(STARTING, COMPLETE)) {
                    fail(e, e instanceof Error);
                    return;
                } // else its handler was called, and that one counts
            }
            if (turn.compareAndSet(STARTING, IN_FLIGHT) || !handleResult()) {
                return;
            }
        }
        end(null, false);
    }

    @Override
    public void completed(Integer n, AsyncTransfer self) {
        result = n;
        arrive();
    }

    @Override
    public void failed(Throwable e, AsyncTransfer self) {
        failure = e;
        arrive();
    }

    private void arrive() {
        if (turn.getAndSet(COMPLETE) == IN_FLIGHT && handleResult()) {
            run();
        }
    }

    /** Handles the result of an operation. False when it was the last. */
    private boolean handleResult() {
        if (failure != null) {
            fail(failure, failure instanceof InterruptedByTimeoutException && (writing ? write : read).outlives);
            return false;
        }
        chunk.limit(to);
        int n = chunk.position() - from;
        if (!writing && result < 0) {
            end(null, false);
            return false;
        }
        if (n <= 0) {
            fail(new IOException("channel made no progress: " + (writing ? "written=" : "read=") + result), false);
            return false;
        }
        if (writing) {
            moved += n;
        } else {
            chunk.flip();
        }
        writing = chunk.hasRemaining();
        return true;
    }

    /** If {@code inUse}, the operation may still run: then the chunk's position says nothing, and its bytes are only read. */
    private void fail(Throwable thrown, boolean inUse) {
        chunk.limit(to); // a failed operation may have left any limit
        if (inUse) {
            chunk.position(from);
        } else if (writing) {
            moved += chunk.position() - from;
        }
        if (!writing) {
            chunk.flip();
        }
        try {
            byte[] unwritten = new byte[fromFile ? 0 : chunk.remaining()];
            chunk.get(unwritten);
            PartialTransferException.addTo(thrown, moved, unwritten);
        } finally {
            end(thrown, inUse);
        }
    }

    private void end(@Nullable Throwable thrown, boolean inUse) {
        Throwable outcome = thrown;
        try {
            if (lease != null && (inUse || thrown != null && discardsAfterFailure)) {
                lease.discard();
            } else if (lease != null) {
                lease.release();
            }
        } catch (RuntimeException | Error e) {
            if (outcome == null) {
                outcome = e;
            } else {
                outcome.addSuppressed(e);
            }
        }
        if (outcome == null) {
            future.complete(moved);
        } else {
            future.completeExceptionally(outcome);
        }
    }
}
