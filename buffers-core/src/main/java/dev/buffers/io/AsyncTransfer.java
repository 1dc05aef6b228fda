package dev.buffers.io;

import dev.buffers.BufferPool;
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
     * A3  Memory that an operation may still use is discarded: after a timeout (see AsynchronousSocketChannel), and when a start threw an
     *     Error. Any other exception of a start says that nothing was started; an exception given to a handler says that the operation is
     *     over.
     *
     *   field                  written by                            read by                 mode
     *   turn                   starter, handler                      both                    volatile, compare-and-set
     *   result, failure        handler, before turn                  the one that continues  plain
     *   all others             the one that continues, before start  the one that continues  plain
     */
    private static final int STARTING = 0;
    private static final int IN_FLIGHT = 1;
    private static final int COMPLETE = 2;

    private final CompletableFuture<Long> future = new CompletableFuture<>();
    private final AtomicInteger turn = new AtomicInteger(COMPLETE);
    private final PooledBuffer lease;
    private final ByteBuffer chunk;
    private final int size;
    private final long max;
    private final boolean fromFile;
    private final Operation read;
    private final Operation write;

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

    private AsyncTransfer(PooledBuffer lease, long max, boolean fromFile, Operation read, Operation write) {
        this.lease = lease;
        this.chunk = lease.buffer();
        this.size = chunk.limit();
        this.max = max;
        this.fromFile = fromFile;
        this.read = read;
        this.write = write;
    }

    /** Begins a transfer. {@code fromFile}: bytes that were read and not written are not lost. */
    static CompletableFuture<Long> begin(
            BufferPool pool, int size, long max, boolean fromFile, Operation read, Operation write) {
        if (max == 0) {
            return CompletableFuture.completedFuture(0L);
        }
        PooledBuffer lease;
        try {
            lease = pool.acquire(size);
        } catch (RuntimeException | Error e) {
            PartialTransferException.addTo(e, 0, new byte[0]);
            return CompletableFuture.failedFuture(e);
        }
        AsyncTransfer transfer = new AsyncTransfer(lease, max, fromFile, read, write);
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
                (writing ? write : read).start(chunk, moved, this);
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
            fail(failure, failure instanceof InterruptedByTimeoutException);
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
            if (inUse) {
                lease.discard();
            } else {
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
