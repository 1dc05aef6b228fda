package dev.buffers.internal.memory;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Direct memory that can be given back to the system at once: one allocation in a shared arena of its own. The only class
 * that knows {@code java.lang.foreign}, which is there from Java 22 on.
 *
 * <p>One thread at a time; the buffer is anyone's. {@link #tryClose} shakes hands with every thread of the JVM, so nobody who
 * is in a hurry should call it.
 *
 * <p>An instance does not keep the buffer that it hands over, so that the collector can tell when nobody has a view of it any
 * more. But the collector never closes the arena: who loses the instance has lost the memory for good.
 */
public final class ArenaMemory {
    /*
     * What the JDK does, from 22 on:
     *
     * J1  Arena.close() frees the memory, or throws IllegalStateException and changes nothing while somebody has the arena
     *     acquired. Channels acquire it for the length of a call, an AsynchronousSocketChannel until the operation is complete.
     * J2  Plain access acquires nothing, and does not make close() fail: once it has returned, every view throws. An access
     *     under way in another thread may still reach freed memory (JDK-8364167): close what nobody should be using.
     * J3  On Unix an asynchronous read or write that was pending and ends with an exception (reset, channel closed, cancelled)
     *     never releases the arena: tryClose() then says false for ever. Seen on 25.
     * J4  An AsynchronousFileChannel acquires only when one of its threads begins. An operation whose memory is closed before
     *     never completes: its exception is thrown in that thread.
     * J5  The memory neither counts as direct memory of the JVM nor against its limit, and nobody waits for the collector.
     * J6  Before 25 CRC32, Inflater and the like, and the AES-GCM of TLS, refuse such a buffer (JDK-8357145, JDK-8357268).
     */

    /** Slots of whole cache lines then share none with each other. */
    private static final long ALIGNMENT = 64;

    /** Before that they were a preview, with other rules. */
    private static final boolean AVAILABLE = Runtime.version().feature() >= 22;

    private final Object arena;
    private @Nullable ByteBuffer buffer;
    private boolean closed;

    private ArenaMemory(Object arena) {
        this.arena = arena;
    }

    /** Whether there are arenas: from Java 22 on. */
    public static boolean available() {
        return AVAILABLE;
    }

    /**
     * Zeroed memory.
     *
     * @throws IllegalStateException when there are no arenas
     * @throws OutOfMemoryError when the system has no such memory; nothing is then left behind
     */
    public static ArenaMemory allocate(int bytes) {
        if (!AVAILABLE) {
            throw new IllegalStateException("arenas need Java 22: java.version=" + Runtime.version());
        }
        ArenaMemory memory = new ArenaMemory(Foreign.ofShared());
        try {
            memory.buffer = Foreign.allocate(memory.arena, bytes);
        } finally {
            if (memory.buffer == null) {
                memory.tryClose();
            }
        }
        return memory;
    }

    /** Hands over, once, the whole memory: direct, big-endian, from 0 to its capacity. */
    public ByteBuffer buffer() {
        ByteBuffer whole = buffer;
        if (whole == null) {
            throw new IllegalStateException("the buffer was handed over before");
        }
        buffer = null;
        return whole;
    }

    /**
     * Gives the memory back, after which every access to a view of it throws an {@link IllegalStateException}. False when a
     * pending I/O still uses it: nothing has changed then, and it may be tried again.
     */
    public boolean tryClose() {
        if (!closed) {
            try {
                Foreign.close(arena);
                closed = true;
            } catch (IllegalStateException acquired) {
                return false;
            }
        }
        return true;
    }

    /** The calls, linked when the first arena is made: an {@code Arena} is an {@code Object} here, since we compile for Java 17. */
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
                        lookup.findVirtual(arena, "allocate", MethodType.methodType(segment, long.class, long.class));
                MethodHandle asByteBuffer =
                        lookup.findVirtual(segment, "asByteBuffer", MethodType.methodType(ByteBuffer.class));
                OF_SHARED = lookup.findStatic(arena, "ofShared", MethodType.methodType(arena))
                        .asType(MethodType.methodType(Object.class));
                ALLOCATE = MethodHandles.filterReturnValue(allocate, asByteBuffer)
                        .asType(MethodType.methodType(ByteBuffer.class, Object.class, long.class, long.class));
                CLOSE = lookup.findVirtual(arena, "close", MethodType.methodType(void.class))
                        .asType(MethodType.methodType(void.class, Object.class));
            } catch (ReflectiveOperationException e) {
                throw new LinkageError("no arenas: java.version=" + Runtime.version(), e);
            }
        }

        static Object ofShared() {
            try {
                return (Object) OF_SHARED.invokeExact();
            } catch (Throwable e) {
                throw unchecked(e);
            }
        }

        static ByteBuffer allocate(Object arena, int bytes) {
            try {
                return (ByteBuffer) ALLOCATE.invokeExact(arena, (long) bytes, ALIGNMENT);
            } catch (Throwable e) {
                throw unchecked(e);
            }
        }

        static void close(Object arena) {
            try {
                CLOSE.invokeExact(arena);
            } catch (Throwable e) {
                throw unchecked(e);
            }
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
    }
}
