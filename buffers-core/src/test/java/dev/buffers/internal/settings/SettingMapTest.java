package dev.buffers.internal.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.buffers.PoolSettings;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SettingMapTest {
    private final SettingMap map = new SettingMap();

    private List<String> texts(SettingMap of) {
        return of.stream().map(Setting::toString).toList();
    }

    @Test
    void aSettingIsFoundByItsKeyAndItsType() {
        map.put(Setting.ofBuilder(SettingKey.ZERO, "release"));
        PoolSettings.Zeroing zero = map.get(SettingKey.ZERO).orElseThrow().value();
        assertEquals(PoolSettings.Zeroing.RELEASE, zero);
        assertEquals(Optional.empty(), map.get(SettingKey.MAX_SIZE));
    }

    @Test
    void aSecondValueTakesThePlaceOfTheFirst() {
        map.put(Setting.ofDefault(SettingKey.ZERO, "never"));
        map.put(Setting.ofDefault(SettingKey.GUARD, "off"));
        map.put(Setting.ofBuilder(SettingKey.ZERO, "acquire"));
        assertEquals(List.of("zero=acquire (builder)", "guard=off (default)"), texts(map));
    }

    @Test
    void aCopyIsApart() {
        map.put(Setting.ofDefault(SettingKey.ZERO, "never"));
        SettingMap copy = map.copy();
        map.put(Setting.ofBuilder(SettingKey.ZERO, "acquire"));
        copy.put(Setting.ofDefault(SettingKey.GUARD, "off"));
        assertEquals(List.of("zero=never (default)", "guard=off (default)"), texts(copy));
        assertEquals(List.of("zero=acquire (builder)"), texts(map));
    }
}
