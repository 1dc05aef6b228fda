package dev.buffers;

import java.util.List;
import java.util.Map;

/**
 * The settings whose behaviour arrives with the next release. They are read and checked like all others and then
 * refused, so that nobody believes to have what is not there. Whoever builds one deletes its line.
 */
final class NotYet {

    /** What is accepted until then. */
    private static final Map<SettingKey<?>, String> ACCEPTED = Map.of(SettingKey.JMX, "false");

    private NotYet() {}

    /** The setting, or the error that says that it does nothing yet. */
    static <T> Setting<T> checked(Setting<T> setting) {
        String accepted = ACCEPTED.get(setting.key());
        String text = setting.key().write(setting.value());
        if (accepted != null && !List.of(accepted.split(", ")).contains(text)) {
            throw new IllegalArgumentException("not supported yet: " + setting.property() + "=" + text + " (from "
                    + setting.origin() + "); accepted: " + accepted);
        }
        return setting;
    }
}
