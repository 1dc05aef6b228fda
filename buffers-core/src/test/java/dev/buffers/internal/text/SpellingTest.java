// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.text;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SpellingTest {

    @ParameterizedTest
    @CsvSource({
        "max,max,0",
        "polcy,policy,1",
        "policy,polcy,1",
        "ploicy,policy,1",
        "wbe,web,1",
        "ca,abc,3",
        "kitten,sitting,3",
        "'',abc,3",
        "abc,'',3"
    })
    void lettersToChange(String a, String b, int distance) {
        assertEquals(distance, Spelling.distance(a, b));
        assertEquals(distance, Spelling.distance(b, a));
    }

    @ParameterizedTest
    @CsvSource({"Wait, wait:10s", "faill, fail", "HEAP, heap", "direct_view, direct-view", "of, off", "mmap,", "x,"})
    void theNearestName(String written, String nearest) {
        List<String> names = List.of("fail", "wait:10s", "heap", "direct-view", "off", "direct");
        assertEquals(Optional.ofNullable(nearest), Spelling.nearest(names, written));
    }

    @Test
    void aGuessIsAskedFor() {
        assertEquals(", did you mean heap?", Spelling.didYouMean(Optional.of("heap")));
        assertEquals("", Spelling.didYouMean(Optional.empty()));
    }
}
