// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.memory;

import dev.buffers.internal.failsafe.IntrusiveList;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The memory of one slab, charged to a budget as a whole: one large allocation, or with an exact policy one allocation a slot. The only
 * class that knows raw memory.
 *
 * <p>One thread at a time (under the pool's lock, or the thread that makes it).
 */
public final class Region {
    /*
     *   policy cuts views     one part, and every slot is a view of it
     *   exact policy          a part for each slot
     *
     * Views of a direct buffer hold the buffer that was first allocated; views of a heap buffer hold its array. That object is the part's
     * base. With `align` a part is a view of it. A part is gone when the collector has taken its base or its arena was closed. Each part has a Footprint, which reports that.
     */
    /** How long a region's bytes stay charged to the budget. */
    public enum Charge {
        /** Until its memory is gone; its {@link Footprint} reports that. */
        UNTIL_GONE,
        /** Until its one lease ends: plain heap memory, left to the collector after that. */
        WHILE_LEASED,
        /** Never: plain heap memory handed out beyond the cap. */
        NONE
    }

    public final Charge charge;
    private final ByteBuffer[] parts;
    private final Footprint[] footprints;
    private int count;
    private int bytes;
    private boolean dropped;

    /** Whether it may be used again after its slab has ended: no slot was lost or discarded. */
    public boolean isReusable = true;

    /** Whether it stays reserved when it is idle. Used by {@code SlabStore}. */
    public boolean isKept;

    /** Its place among those that were dropped and are not reported yet. Used by {@code SlabStore}. */
    public final IntrusiveList.Link<Region> link = new IntrusiveList.Link<>(this);

    /** Whether it was dropped before, and whether Flight Recorder knows of it. Used by {@link RegionAllocator}. */
    boolean isAdopted;

    final AtomicBoolean isReported = new AtomicBoolean();

    /** A region without memory yet, with room for so many parts. */
    Region(int parts) {
        this.charge = Charge.UNTIL_GONE;
        this.parts = new ByteBuffer[parts];
        this.footprints = new Footprint[parts];
    }

    /** A region of plain heap memory. */
    public Region(ByteBuffer memory, Charge charge) {
        this.charge = charge;
        this.parts = new ByteBuffer[] {memory};
        this.footprints = new Footprint[0];
        this.count = 1;
        this.bytes = memory.capacity();
    }

    /** Adds a part. */
    void add(ByteBuffer memory, Footprint footprint) {
        parts[count] = memory;
        footprints[count++] = footprint;
        bytes += footprint.bytes;
    }

    public int bytes() {
        return bytes;
    }

    /** How many parts it has; 0 for plain memory, which nothing reports. */
    public int footprints() {
        return footprints.length == 0 ? 0 : count;
    }

    public Footprint footprint(int index) {
        return footprints[index];
    }

    boolean hasAllParts() {
        return count == parts.length;
    }

    /** Into how many slots of {@code size} bytes it is cut. */
    public int slots(int size) {
        return count > 1 ? count : size == 0 ? 1 : bytes / size;
    }

    /**
     * The slot with that index: a view of {@code size} bytes that cannot be widened. A view of an entire part has offset 0 in its array.
     */
    public ByteBuffer slot(int index, int size) {
        if (dropped) {
            throw new IllegalStateException("region was dropped: bytes=" + bytes);
        }
        ByteBuffer part = count > 1 ? parts[index] : parts[0];
        return part.capacity() == size ? part.duplicate() : part.slice(index * size, size);
    }

    /** The memory of its only part, which it holds no more: its holder decides how long it is reachable. */
    public ByteBuffer handOut() {
        ByteBuffer memory = parts[0];
        Arrays.fill(parts, null);
        return memory;
    }

    /** How large a region may be that only holds one slot of {@code size} bytes. */
    public static int mostAlone(int size) {
        return (int) Math.min(Integer.MAX_VALUE, size * 5L / 4);
    }

    /** Whether a slot of {@code size} bytes can be cut from it, whatever it was cut into before. */
    public boolean fits(int size) {
        return count == 1 && bytes >= size;
    }

    void forget() {
        if (dropped) {
            throw new IllegalStateException("region was dropped twice: bytes=" + bytes);
        }
        dropped = true;
        Arrays.fill(parts, null);
    }
}
