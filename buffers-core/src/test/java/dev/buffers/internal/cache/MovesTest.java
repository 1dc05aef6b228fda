// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import org.junit.jupiter.api.Test;

/** Every move that overlaps a search shows in it. The race is TrimRace's in jcstress. */
class MovesTest {
    private final Moves moves = new Moves();

    @Test
    void moveThatOverlapsSearchShows() {
        moves.begin();
        long before = moves.finished();
        assertNotEquals(before, moves.begun(), "in progress from before the search to its end");
        moves.end();
        assertNotEquals(before, moves.begun(), "ended during the search");
        before = moves.finished();
        moves.begin();
        assertNotEquals(before, moves.begun(), "begun during the search");
        moves.end();
        assertNotEquals(before, moves.begun(), "begun and ended during the search");
    }

    @Test
    void moveThatEndedBeforeSearchDoesNotShow() {
        moves.begin();
        moves.end();
        assertEquals(moves.finished(), moves.begun());
    }
}
