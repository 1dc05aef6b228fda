// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import java.nio.ByteBuffer;

/**
 * Which memory a pool hands out, and how it is cut.
 *
 * <p>Five policies are built in ({@code heap}, {@code direct}, {@code heap-view}, {@code direct-view}, {@code unpooled}). A policy of your
 * own is given to the pool's builder, or registered as a {@link java.util.ServiceLoader} provider of this interface and chosen by name, as
 * in {@code -Dbuffers.policy=huge-pages}. Whenever a pool is created, providers are looked up with the thread's context class loader, then
 * with the one that loaded this library. The names of the built-in policies are reserved.
 *
 * <p><b>Threads.</b> Any thread may call {@link #allocate}, several at once. {@link #name}, {@link #direct}, {@link #views} and {@link
 * #countsAsDirect} must give the same answer as long as the policy lives.
 *
 * <p><b>Calls.</b> The pool holds no lock while it calls a policy. A policy must not call the pool that calls it: it gets an {@link
 * IllegalStateException}. Anything else that {@link #allocate} throws goes to the caller of the acquire. What it did not make
 * is not charged.
 *
 * <p><b>Cost.</b> The pool calls {@link #allocate} when a region is reserved, never on a hit. It may block; the acquiring thread waits for
 * it.
 */
public interface BufferPolicy {

    /** {@return the name that chooses this policy and that settings and metrics show: not blank, not that of a built-in policy} */
    String name();

    /**
     * {@return whether {@link #allocate} gives direct buffers, not heap buffers} This decides of which JVM limit {@code max} is a
     * percentage, and which default budget the pool shares.
     */
    boolean direct();

    /**
     * {@return whether the JVM counts this memory against its limit for direct memory, {@code -XX:MaxDirectMemorySize}} It counts what
     * {@link ByteBuffer#allocateDirect} makes, and neither mapped files nor memory of an {@code Arena}. The pool refuses to allocate memory
     * that would not fit the limit, because the JVM would otherwise wait half a second before it fails. Override this for memory that does
     * not count.
     */
    default boolean countsAsDirect() {
        return direct();
    }

    /**
     * {@return whether the pool allocates whole regions and hands out views of them} Otherwise every buffer is a separate allocation, so a
     * heap buffer has its array to itself.
     */
    boolean views();

    /**
     * Allocates memory. The result must be
     *
     * <ul>
     *   <li>fresh: no other buffer reaches the same bytes, and no code but the pool;
     *   <li>whole: the buffer that owns its memory, never a slice or a duplicate of another. For the heap this means an accessible array,
     *       offset 0, an array of exactly {@code bytes};
     *   <li>writable, at position 0, and direct exactly when {@link #direct} says so;
     *   <li>of a capacity of exactly {@code bytes}: users would write past a smaller buffer, and the surplus of a larger one would escape
     *       the pool's cap.
     * </ul>
     *
     * The pool throws for every deviation that it can see; the error names the policy and the fault. It cannot see that a direct buffer is
     * a slice. The memory lives until the collector takes the buffer; the pool never frees it in another way.
     *
     * <p>Do not align the memory with {@link ByteBuffer#alignedSlice}: other buffers that are made of a slice keep the allocation, and not the
     * slice, so the pool would take memory for gone that a channel still uses. Set {@code align} instead. The pool then asks for so many bytes
     * more, and cuts the aligned part itself.
     *
     * @param bytes how much, at least 1, with what {@code align} needs
     * @return the memory, with any content
     * @throws OutOfMemoryError when no memory is left; the pool treats this as if its cap were reached
     */
    ByteBuffer allocate(int bytes);
}
