// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.support.Combination;
import dev.buffers.support.Combinations;
import dev.buffers.support.Conservation;
import dev.buffers.support.DirectRoom;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The combinations of settings that other tests run on are those that they are said to be. */
class CombinationsTest {

    @Test
    void everyPairThatCanStandTogetherIsCovered() {
        List<Combinations.Pair> missing = Combinations.pairs().stream()
                .filter(pair -> pair.combination().isValid())
                .filter(pair -> Combinations.pairwise().stream().noneMatch(pair::isIn))
                .toList();
        assertEquals(List.of(), missing);
        int pairs = Combinations.pairs().size();
        int size = Combinations.pairwise().size();
        assertTrue(size < pairs / 15, () -> "combinations: " + size + ", pairs: " + pairs);
    }

    /** What the rules call invalid is just what the product refuses. */
    @Tag("full")
    @Test
    void theProductRefusesThePairsThatTheRulesExclude() {
        List<String> wrong = new ArrayList<>();
        int refused = 0;
        for (Combinations.Pair pair : Combinations.pairs()) {
            Combination combination = pair.combination();
            boolean accepted = isAccepted(combination);
            refused += accepted ? 0 : 1;
            if (accepted != combination.isValid()) {
                wrong.add(combination + (accepted ? " is accepted" : " is refused"));
            }
        }
        assertEquals(List.of(), wrong);
        assertTrue(refused > 0);
    }

    private static boolean isAccepted(Combination combination) {
        DirectRoom.make();
        try (BufferPool pool = combination.open("accepted")) {
            Conservation.check(pool);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    @Test
    void everyCombinationBuildsPoolWithItsSettings() {
        for (Combination combination : Combinations.all()) {
            DirectRoom.make();
            try (BufferPool pool = combination.open("said")) {
                List<String> settings = pool.settings().toString().lines().toList();
                combination
                        .changes()
                        .forEach((key, text) -> assertTrue(
                                settings.contains(key.name() + "=" + text + " (builder)"),
                                () -> combination + " gives " + pool.settings()));
            }
        }
    }
}
