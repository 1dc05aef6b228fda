package dev.buffers.internal.settings;

import java.util.Locale;
import java.util.Optional;

/**
 * The names of settings as environment variables: {@code BUFFERS_MAX_SIZE} for all pools, {@code BUFFERS_WEB_MAX_SIZE} for the pool {@code
 * web}. What is no letter and no digit becomes an underscore. {@code BUFFERS_MAXSIZE}, as Spring Boot spells it, is the same setting.
 */
final class VariableName {
    static final String PREFIX = "BUFFERS_";

    private VariableName() {}

    /** A pool's name or a key, as it stands in a variable's name. */
    static String part(String name) {
        return name.toUpperCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N}]", "_");
    }

    /** What the variables of this pool alone begin with. */
    static String prefix(String pool) {
        return PREFIX + part(pool) + "_";
    }

    /** The setting that a variable with this prefix has. */
    static Optional<SettingKey<?>> key(String prefix, String variable) {
        if (!variable.startsWith(prefix)) {
            return Optional.empty();
        }
        String rest = variable.substring(prefix.length());
        return SettingKey.ALL.stream()
                .filter(key -> rest.equals(part(key.name()))
                        || rest.equals(part(key.name()).replace("_", "")))
                .findFirst();
    }
}
