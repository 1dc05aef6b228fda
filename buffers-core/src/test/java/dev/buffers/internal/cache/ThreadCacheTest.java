// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.junit.jupiter.api.Test;

class ThreadCacheTest {
    /** Who counts or sweeps the magazines of a thread finds all of them, each with its class. */
    @Test
    void magazinesAreLinked() {
        ThreadCache mine = new ThreadCache(Thread.currentThread(), 3);
        assertNull(mine.firstVolatile());
        Magazine two = new Magazine(null);
        Magazine one = new Magazine(null);
        mine.setRelease(2, two);
        mine.setRelease(1, one);
        assertSame(one, mine.firstVolatile());
        assertSame(two, one.next);
        assertNull(two.next);
        assertEquals(1, one.sizeClass);
        assertEquals(2, two.sizeClass);
    }
}
