package dev.buffers.internal.settings;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Settings by their keys' names, each of its key's type, in the order in which they were first put. */
public final class SettingMap {

    private final Map<String, Setting<?>> settings = new LinkedHashMap<>();

    public <T> void put(Setting<T> setting) {
        settings.put(setting.key().name(), setting);
    }

    @SuppressWarnings("unchecked") // put() ensures it
    public <T> Optional<Setting<T>> get(SettingKey<T> key) {
        return Optional.ofNullable((Setting<T>) settings.get(key.name()));
    }

    public Stream<Setting<?>> stream() {
        return settings.values().stream();
    }

    public SettingMap copy() {
        SettingMap copy = new SettingMap();
        copy.settings.putAll(settings);
        return copy;
    }
}
