// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.failsafe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class IntrusiveListTest {
    private final IntrusiveList<Integer> list = new IntrusiveList<>();
    private final IntrusiveList<Integer> other = new IntrusiveList<>();

    private static List<Integer> contents(IntrusiveList<Integer> list) {
        List<Integer> all = new ArrayList<>();
        for (IntrusiveList.Link<Integer> link = list.first(); link != null; link = link.next()) {
            all.add(link.it);
        }
        return all;
    }

    @Test
    void aLinkIsInOneListAtMost() {
        IntrusiveList.Link<Integer> link = new IntrusiveList.Link<>(7);
        list.add(link);
        other.add(link);
        assertTrue(list.isEmpty());
        assertFalse(list.has(link));
        assertTrue(other.has(link));
        assertFalse(list.remove(link), "it is in the other list");
        assertEquals(List.of(7), contents(other));
        assertTrue(link.leave());
        assertTrue(other.isEmpty());
        assertFalse(link.leave(), "it is in none");
        assertFalse(other.remove(link), "it has left");
    }

    @Test
    void aWholeListIsMovedToTheEndOfAnother() {
        list.add(new IntrusiveList.Link<>(1));
        other.add(new IntrusiveList.Link<>(2));
        other.add(new IntrusiveList.Link<>(3));
        list.addAll(other);
        assertEquals(List.of(1, 2, 3), contents(list));
        assertTrue(other.isEmpty());
        assertEquals(3, list.size());
        assertEquals(0, other.size());
    }

    /** Against a list of the JDK: adds, removes from anywhere, polls. */
    @Test
    void randomOperationsMatchListOfTheJdk() {
        Random random = new Random(42);
        List<IntrusiveList.Link<Integer>> links = new ArrayList<>();
        List<Integer> expected = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            links.add(new IntrusiveList.Link<>(i));
        }
        for (int step = 0; step < 5_000; step++) {
            IntrusiveList.Link<Integer> link = links.get(random.nextInt(links.size()));
            switch (random.nextInt(4)) {
                case 0, 1 -> {
                    list.add(link);
                    expected.remove(link.it);
                    expected.add(link.it);
                }
                case 2 -> assertEquals(expected.remove(link.it), list.remove(link));
                default -> assertEquals(expected.isEmpty() ? null : expected.remove(0), list.poll());
            }
            assertEquals(expected, contents(list));
            assertEquals(expected.size(), list.size());
        }
    }
}
