package dev.buffers.internal.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VariableNameTest {

    @ParameterizedTest
    @CsvSource({"web, BUFFERS_WEB_", "web-heap, BUFFERS_WEB_HEAP_", "web.2, BUFFERS_WEB_2_", "größe, BUFFERS_GRÖSSE_"})
    void whatIsNoLetterAndNoDigitIsAnUnderscore(String pool, String prefix) {
        assertEquals(prefix, VariableName.prefix(pool));
    }

    @ParameterizedTest
    @CsvSource({
        "BUFFERS_MAX, max",
        "BUFFERS_MAX_SIZE, max-size",
        "BUFFERS_MAXSIZE, max-size",
        "BUFFERS_AT_LIMIT, at-limit"
    })
    void aVariableIsASetting(String variable, String key) {
        assertEquals(
                Optional.of(key),
                VariableName.key(VariableName.PREFIX, variable).map(SettingKey::name));
    }

    @ParameterizedTest
    @CsvSource({"MAX", "buffers_max", "BUFFERS_", "BUFFERS_MAX_", "BUFFERS_MA_X", "BUFFERS_WEB_MAX"})
    void otherVariablesAreNone(String variable) {
        assertEquals(Optional.empty(), VariableName.key(VariableName.PREFIX, variable));
    }

    @Test
    void thePrefixOfAPoolIsPartOfTheName() {
        assertEquals(
                Optional.of("zero"),
                VariableName.key(VariableName.prefix("web"), "BUFFERS_WEB_ZERO").map(SettingKey::name));
        assertEquals(Optional.empty(), VariableName.key(VariableName.prefix("web"), "BUFFERS_ZERO"));
    }
}
