package dev.buffers.internal.text;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SpellingTest {

    @ParameterizedTest
    @CsvSource({
        "max,max,0",
        "polcy,policy,1",
        "policy,polcy,1",
        "ploicy,policy,2",
        "kitten,sitting,3",
        "'',abc,3",
        "abc,'',3"
    })
    void lettersToChange(String a, String b, int distance) {
        assertEquals(distance, Spelling.distance(a, b));
        assertEquals(distance, Spelling.distance(b, a));
    }
}
