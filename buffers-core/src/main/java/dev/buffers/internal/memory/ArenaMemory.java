// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.memory;

import static java.lang.invoke.MethodType.methodType;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Direct memory that can be given back to the system at once: one allocation in a separate shared arena. The only class that knows {@code
 * java.lang.foreign}, which exists from Java 22 on.
 *
 * <p>Any thread. {@link #tryClose} is slow: it makes a handshake with every thread of the JVM.
 *
 * <p>An instance does not hold its memory, so that the collector can tell when no view of it is left. But the collector never closes the
 * arena: when the instance is lost, the memory is lost too.
 */
public final class ArenaMemory {
    /*
     * What the JDK does, from 22 on:
     *
     * J1  Arena.close() frees the memory. While some operation has acquired the arena, it throws IllegalStateException and changes nothing.
     *     Channels acquire the arena for one call, an AsynchronousSocketChannel until the operation is complete; on Unix one that ends with
     *     an exception (reset, channel closed, cancelled) never releases it. Seen on 25.
     * J2  Plain access acquires nothing and does not make close() fail: after close(), every view throws. An access in progress in another
     *     thread may still reach freed memory (JDK-8364167): close only memory that no thread should be using.
     * J3  An AsynchronousFileChannel acquires only when one of its threads begins. If the memory is closed before that, the operation never
     *     completes: its exception is thrown in that thread.
     * J4  The memory does not count as direct memory of the JVM or against its limit, and no allocation waits for the collector.
     *
     * Who closes it:
     *
     *   OPEN --> CLOSING --+--> CLOSED
     *     ^                |
     *     `----------------´ an operation has acquired the arena (J1)
     *
     * A1  One thread at a time calls Arena.close(), the one whose compare-and-set made the state CLOSING. The others wait until it has
     *     finished. A virtual thread is not unmounted in that call, so it ends even if the waiting threads occupy all other carriers.
     *
     *   field  written by        mode                read by     mode
     *   state  a closing thread  compareAndSet, set  any thread  volatile
     */

    /** With this alignment, slots that fill cache lines completely share no line. */
    private static final long ALIGNMENT = 64;

    /** The most that a {@code ByteBuffer} of an arena can have. */
    private static final int MOST_BYTES = Integer.MAX_VALUE - 8;

    /** Before 22 arenas were a preview, with other rules. */
    private static final boolean AVAILABLE = Runtime.version().feature() >= 22;

    private static final int OPEN = 0;
    private static final int CLOSING = 1;
    private static final int CLOSED = 2;

    private final Object arena;
    private final AtomicInteger state = new AtomicInteger(OPEN);

    /**
     * Makes an arena without memory yet.
     *
     * @throws IllegalStateException when there are no arenas
     */
    public ArenaMemory() {
        if (!AVAILABLE) {
            throw new IllegalStateException("arenas need Java 22: java.version=" + Runtime.version());
        }
        try {
            arena = (Object) Foreign.OF_SHARED.invokeExact();
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    /** Loads and links all that an arena needs, for the reason given in {@code Preload}. */
    static void load() {
        ArenaMemory first = new ArenaMemory();
        first.allocate(1);
        first.tryClose();
    }

    /** Whether arenas exist: from Java 22 on. */
    public static boolean available() {
        return AVAILABLE;
    }

    /**
     * Allocates its memory, zeroed: direct, big-endian, from 0 to its capacity. To be called once.
     *
     * @throws OutOfMemoryError when the system has no such memory; the caller then closes the arena
     */
    public ByteBuffer allocate(int bytes) {
        return allocate(bytes, 1);
    }

    /** The same, at an address that is a multiple of {@code align}, a power of two. */
    ByteBuffer allocate(int bytes, int align) {
        if (bytes > MOST_BYTES) {
            throw new OutOfMemoryError("an arena gives at most " + MOST_BYTES + " bytes");
        }
        try {
            return (ByteBuffer) Foreign.ALLOCATE.invokeExact(arena, (long) bytes, Math.max(ALIGNMENT, align));
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    /**
     * Gives the memory back; after that, every access to a view of it throws an {@link IllegalStateException}. Waits while another thread
     * is doing so. False when a pending I/O still uses the memory: the call may be repeated.
     */
    @SuppressWarnings("ThreadPriorityCheck") // it only makes way; nothing relies on it
    public boolean tryClose() {
        while (!state.compareAndSet(OPEN, CLOSING)) {
            if (state.get() == CLOSED) {
                return true;
            }
            Thread.yield(); // the closing thread needs an answer of every thread, and a processor
        }
        boolean closed = false;
        try {
            Foreign.CLOSE.invokeExact(arena);
            closed = true;
        } catch (IllegalStateException acquired) {
            // An operation has acquired it.
        } catch (Throwable e) {
            throw unchecked(e);
        } finally {
            state.set(closed ? CLOSED : OPEN);
        }
        return closed;
    }

    private static RuntimeException unchecked(Throwable thrown) {
        if (thrown instanceof Error error) {
            throw error;
        }
        if (thrown instanceof RuntimeException exception) {
            return exception;
        }
        throw new AssertionError(thrown);
    }

    /** Linked when the first arena is made. The type of an {@code Arena} is {@code Object} here, since we compile for Java 17. */
    private static final class Foreign {
        private static final MethodHandle OF_SHARED;
        private static final MethodHandle ALLOCATE;
        private static final MethodHandle CLOSE;

        static {
            try {
                MethodHandles.Lookup lookup = MethodHandles.publicLookup();
                Class<?> arena = Class.forName("java.lang.foreign.Arena");
                Class<?> segment = Class.forName("java.lang.foreign.MemorySegment");
                MethodHandle allocate =
                        lookup.findVirtual(arena, "allocate", methodType(segment, long.class, long.class));
                MethodHandle asByteBuffer = lookup.findVirtual(segment, "asByteBuffer", methodType(ByteBuffer.class));
                OF_SHARED =
                        lookup.findStatic(arena, "ofShared", methodType(arena)).asType(methodType(Object.class));
                ALLOCATE = MethodHandles.filterReturnValue(allocate, asByteBuffer)
                        .asType(methodType(ByteBuffer.class, Object.class, long.class, long.class));
                CLOSE = lookup.findVirtual(arena, "close", methodType(void.class))
                        .asType(methodType(void.class, Object.class));
            } catch (ReflectiveOperationException e) {
                throw new LinkageError("no arenas: java.version=" + Runtime.version(), e);
            }
        }
    }
}
