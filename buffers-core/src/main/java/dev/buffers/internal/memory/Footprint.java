// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.memory;

import dev.buffers.internal.failsafe.IntrusiveList;
import java.lang.ref.PhantomReference;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Knows of one allocation without holding it, from then until its memory is gone.
 *
 * <p>Held by the budget, which may outlive the pool, so it holds its owner weakly. Any thread.
 */
public class Footprint extends PhantomReference<Object> {
    /** The part of a pool that accounts for the memory. */
    public interface Owner {
        /** Called once, under the budget's monitor: the memory is gone. Its bytes are credited after that. */
        void gone(Footprint it);
    }

    final int bytes;

    /** Its place among the parts that are charged or wait to be closed. Used by its {@link Budget}. */
    final IntrusiveList.Link<Footprint> charged = new IntrusiveList.Link<>(this);

    /** Its place among the parts that its pool may adopt, and whether its pool has dropped it. */
    final IntrusiveList.Link<Footprint> adoptable = new IntrusiveList.Link<>(this);

    boolean isDropped;

    /** Whether its {@link RegionAllocator} counts it as a large region. */
    boolean isLarge;

    /** Whether it is adopted for its exact size alone, because it was lent in part before. */
    public boolean exactOnly;

    /** What its pool notes of dropped memory, for when it is adopted; refers to no memory. */
    public @Nullable Object note;

    /** Null once the collector has taken the owner too. */
    final WeakReference<Owner> owner;

    private final WeakReference<Object> base;
    private final @Nullable ArenaMemory arena;

    /** The footprint of this memory, with its charge. */
    public Footprint(ByteBuffer memory, int bytes, @Nullable ArenaMemory arena, @Nullable Owner owner) {
        super(base(memory), null); // no queue: its budget looks at it
        this.bytes = bytes;
        this.base = new WeakReference<>(base(memory));
        this.owner = new WeakReference<>(owner);
        this.arena = arena;
    }

    private static Object base(ByteBuffer memory) {
        return memory.isDirect() ? memory : memory.array();
    }

    /** The memory again, unless the collector has begun to take it. */
    public @Nullable ByteBuffer memory() {
        Object present = base.get();
        return present instanceof byte[] array ? ByteBuffer.wrap(array) : (ByteBuffer) present;
    }

    /** Whether the collector has begun to take the memory. */
    boolean isTaken() {
        return base.refersTo(null);
    }

    /** Whether its memory goes back at once when it is dropped. */
    boolean isPrompt() {
        return arena != null;
    }

    /** Gives the memory of an arena back to the system, as {@link ArenaMemory#tryClose} does. */
    boolean tryClose() {
        return Objects.requireNonNull(arena).tryClose();
    }
}
