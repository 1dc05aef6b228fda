// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.support.channels;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousByteChannel;
import java.nio.channels.CompletionHandler;
import java.util.Random;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;

/** An asynchronous channel that gives or takes bytes as the test says, and completes when the executor gets to it. */
public final class PlannedAsync implements AsynchronousByteChannel {
    /** What an operation does, after the bytes were moved. */
    public enum Outcome {
        COMPLETES,
        FAILS,
        /** Its start throws, and nothing was moved. */
        IS_REFUSED,
        /** Its start throws, the handler having been called. */
        COMPLETES_AND_THROWS
    }

    private final byte[] content;
    private final Random random;
    private final Executor executor;
    public final ByteArrayOutputStream taken = new ByteArrayOutputStream();
    public int most = Integer.MAX_VALUE;

    /** How many bytes are moved before the outcome is what follows. */
    public int failAt = Integer.MAX_VALUE;

    public Outcome outcome = Outcome.FAILS;
    public Throwable failure;
    public int given;
    public int operations;

    /** While an operation is in flight. */
    public volatile ByteBuffer inFlight;

    public PlannedAsync(byte[] content, Random random, Executor executor) {
        this.content = content;
        this.random = random;
        this.executor = executor;
    }

    @Override
    public <A> void read(ByteBuffer into, A attachment, CompletionHandler<Integer, ? super A> handler) {
        begin(into);
        executor.execute(() -> {
            if (given == content.length && given < failAt) {
                inFlight = null;
                handler.completed(-1, attachment);
                return;
            }
            int n = portion(Math.min(into.remaining(), content.length - given), given);
            into.put(content, given, n);
            given += n;
            end(n, given, attachment, handler);
        });
        throwIfPlanned(given);
    }

    @Override
    public <A> void write(ByteBuffer from, A attachment, CompletionHandler<Integer, ? super A> handler) {
        begin(from);
        executor.execute(() -> {
            int n = portion(from.remaining(), taken.size());
            for (int i = 0; i < n; i++) {
                taken.write(from.get());
            }
            if (outcome == Outcome.FAILS && taken.size() >= failAt) {
                from.limit(from.position());
            }
            end(n, taken.size(), attachment, handler);
        });
        throwIfPlanned(taken.size());
    }

    private int portion(int room, int done) {
        return Math.min(Math.min(room, 1 + random.nextInt(most)), Math.max(0, failAt - done));
    }

    private void begin(ByteBuffer buffer) {
        if (inFlight != null) {
            throw new AssertionError("two operations at once");
        }
        if (++operations > 1_000_000) {
            throw new AssertionError("used again and again");
        }
        if (outcome == Outcome.IS_REFUSED && Math.max(given, taken.size()) >= failAt) {
            failAt = Integer.MAX_VALUE;
            Failures.<RuntimeException>sneak(failure);
        }
        inFlight = buffer;
    }

    private <A> void end(int n, int done, A attachment, CompletionHandler<Integer, ? super A> handler) {
        inFlight = null;
        if (outcome == Outcome.FAILS && done >= failAt) {
            failAt = Integer.MAX_VALUE;
            handler.failed(failure, attachment);
        } else {
            handler.completed(n, attachment);
        }
    }

    private void throwIfPlanned(int done) {
        if (outcome == Outcome.COMPLETES_AND_THROWS && done >= failAt) {
            failAt = Integer.MAX_VALUE;
            Failures.<RuntimeException>sneak(failure);
        }
    }

    @Override
    public Future<Integer> read(ByteBuffer into) {
        throw new AssertionError("not with a handler");
    }

    @Override
    public Future<Integer> write(ByteBuffer from) {
        throw new AssertionError("not with a handler");
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public void close() {}
}
