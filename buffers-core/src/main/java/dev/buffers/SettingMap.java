package dev.buffers;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Settings by their keys, each of its key's type, in the order in which they were first put. */
final class SettingMap {

    private final Map<SettingKey<?>, Setting<?>> settings = new LinkedHashMap<>();

    <T> void put(Setting<T> setting) {
        settings.put(setting.key(), setting);
    }

    @SuppressWarnings("unchecked") // put() sees to it
    <T> Optional<Setting<T>> get(SettingKey<T> key) {
        return Optional.ofNullable((Setting<T>) settings.get(key));
    }

    Stream<Setting<?>> stream() {
        return settings.values().stream();
    }

    SettingMap copy() {
        SettingMap copy = new SettingMap();
        copy.settings.putAll(settings);
        return copy;
    }
}
