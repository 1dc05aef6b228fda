// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.slab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.support.BareOwner;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SlabListsTest {
    private final BareOwner owner = new BareOwner();
    private final SlabLists lists = new SlabLists(2);

    @AfterEach
    void free() {
        owner.close();
    }

    /** A slab with that many of its slots out. */
    private Slab placed(int sizeClass, int slots, int out) {
        Slab slab = owner.slab(sizeClass, slots);
        for (int i = 0; i < out; i++) {
            slab.take();
        }
        lists.place(slab);
        return slab;
    }

    @Test
    void fullestSlabComesFirst() {
        placed(0, 8, 1);
        Slab fullest = placed(0, 8, 7);
        placed(0, 8, 4);
        placed(0, 8, 0);
        assertSame(fullest, lists.next(0));
        assertNull(lists.next(1), "nothing of this class");
    }

    @Test
    void unusedSlabComesLast() {
        Slab unused = placed(0, 8, 0);
        assertSame(unused, lists.next(0));
        Slab used = placed(0, 8, 1);
        assertSame(used, lists.next(0));
    }

    @Test
    void slabWithoutFreeSlotsIsInNoRow() {
        Slab slab = placed(0, 2, 2);
        assertNull(lists.next(0));
        slab.condemn();
        lists.place(slab);
        assertNull(lists.next(0));
    }

    @Test
    void slabMovesBetweenRowsWhileEmptying() {
        Slab slab = placed(0, 2, 1);
        assertNull(lists.largestUnused(1));
        Slab other = placed(0, 2, 0);
        assertSame(slab, lists.next(0));
        Slot second = Objects.requireNonNull(slab.take());
        lists.place(slab);
        assertSame(other, lists.next(0));
        slab.giveBack(second);
        lists.place(slab);
        assertSame(slab, lists.next(0));
    }

    @Test
    void condemnedSlabIsInNoRow() {
        Slab slab = placed(0, 4, 1);
        slab.condemn();
        lists.place(slab);
        assertNull(lists.next(0));
    }

    @Test
    void largestUnusedComesFromClassWithMostUnusedSlabs() {
        placed(0, 8, 0);
        Slab small = placed(1, 2, 0);
        placed(1, 2, 0);
        assertSame(small, lists.largestUnused(256), "class 1 has two of them");
        Slab large = Objects.requireNonNull(lists.largestUnused(300));
        assertEquals(8 * 128, large.region.bytes(), "only class 0 fits");
        assertNull(lists.largestUnused(2000));
        small.place.leave();
        assertTrue(lists.largestUnused(256) != small);
    }

    @Test
    void slabWithoutClassIsInNoRow() {
        Slab slab = owner.slab(SizeClasses.OVERSIZE, 1);
        lists.place(slab);
        assertNull(lists.largestUnused(1));
        assertNull(lists.largestUnused(1));
        assertFalse(slab.place.leave());
    }
}
