package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.buffers.internal.settings.SettingKey;
import dev.buffers.support.Refusal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LeakTrackingTest {

    @ParameterizedTest
    @ValueSource(strings = {"count", "all", "sample:1", "sample:100", "sample:2147483647"})
    void itsTextReadsBack(String text) {
        assertEquals(text, SettingKey.LEAKS.read(text).toString());
        assertEquals(SettingKey.LEAKS.read(text), SettingKey.LEAKS.read(text));
        assertEquals(
                SettingKey.LEAKS.read(text).hashCode(),
                SettingKey.LEAKS.read(text).hashCode());
    }

    @Test
    void saysWhatItIs() {
        assertEquals(LeakTracking.Kind.COUNT, LeakTracking.count().kind());
        assertThrows(IllegalStateException.class, () -> LeakTracking.count().every());
        assertEquals(LeakTracking.Kind.SAMPLE, LeakTracking.sample(100).kind());
        assertEquals(100, LeakTracking.sample(100).every());
        assertEquals(1, LeakTracking.all().every());
        assertNotEquals(LeakTracking.sample(1), LeakTracking.all());
        assertNotEquals(LeakTracking.sample(1), LeakTracking.sample(2));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "none", "Count", "sample", "sample:", "sample:x", "sample:-1", "sample:1.5"})
    void refusesOtherTexts(String text) {
        assertEquals("is none of the choices", Refusal.of(() -> SettingKey.LEAKS.read(text)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"sample:0", "sample:2147483648", "sample:999999999999999999"})
    void refusesRatesOutOfRange(String text) {
        assertEquals("is out of range", Refusal.of(() -> SettingKey.LEAKS.read(text)));
    }

    @Test
    void refusesARateBelowOne() {
        assertEquals(
                "sample rate not positive: every=0; accepted: 1 or more", Refusal.of(() -> LeakTracking.sample(0)));
    }
}
