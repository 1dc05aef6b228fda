package dev.buffers.internal.settings;

import dev.buffers.internal.text.Spelling;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * The settings of one pool from four places, the first one wins: the builder, {@code -Dbuffers.<pool>.<key>} and {@code
 * -Dbuffers.<key>}, the environment ({@code BUFFERS_<POOL>_<KEY>}, {@code BUFFERS_<KEY>}), {@code buffers.properties}. In each the pool's
 * own keys come before those for all pools. Without any of them, the default holds.
 *
 * <p>Every value for this pool is read and checked, even when an earlier place overrides it, so that no mistake stays hidden. The
 * environment is different: a variable is checked only where it counts, because a program has little say in what it inherits.
 */
public final class SettingsSource {

    private final String pool;
    private final List<SettingMap> layers;

    public SettingsSource(
            String pool,
            ExplicitSettings explicit,
            Map<String, String> systemProperties,
            Map<String, String> environment,
            SettingsFile file) {
        checkName(pool);
        this.pool = pool;
        SettingMap poolOptions = new SettingMap();
        SettingMap options = new SettingMap();
        SettingMap poolVariables = new SettingMap();
        SettingMap variables = new SettingMap();
        SettingMap poolLines = new SettingMap();
        SettingMap lines = new SettingMap();
        SettingMap given = explicit.settings();
        this.layers = List.of(given, poolOptions, options, poolVariables, variables, poolLines, lines);
        sort(systemProperties, property -> "-D" + property, poolOptions, options);
        addVariables(environment, VariableName.prefix(pool), poolVariables, List.of(given, poolOptions, options));
        addVariables(environment, VariableName.PREFIX, variables, List.of(given, poolOptions, options, poolVariables));
        for (String property : file.properties().keySet()) {
            if (!property.startsWith(SettingKey.PREFIX)) { // the file is only ours, so this was meant for us
                throw unknown(property, file.properties().get(property), file.origin());
            }
        }
        sort(file.properties(), property -> file.origin(), poolLines, lines);
    }

    /** The present system properties, without those that are no strings. */
    public static Map<String, String> systemProperties() {
        Properties properties = System.getProperties();
        Map<String, String> texts = new HashMap<>();
        for (String property : properties.stringPropertyNames()) {
            String text = properties.getProperty(property);
            if (text != null) { // removed meanwhile
                texts.put(property, text);
            }
        }
        return texts;
    }

    /** Refuses a name with a dot or equal to a key, which would make {@code buffers.<pool>.<key>} ambiguous. */
    private static void checkName(String pool) {
        Objects.requireNonNull(pool, "pool");
        String accepted = "; accepted: one or more characters without dots and white space, not the name of a setting";
        if (pool.isEmpty() || pool.chars().anyMatch(c -> c == '.' || Character.isWhitespace(c))) {
            throw new IllegalArgumentException("bad pool name: name=\"" + pool + '"' + accepted);
        }
        if (SettingKey.named(pool).isPresent()) {
            throw new IllegalArgumentException("pool name is a setting's: name=" + pool + accepted);
        }
    }

    /** Puts each property that concerns this pool into its map, in the order of the property names. */
    private void sort(
            Map<String, String> properties,
            UnaryOperator<String> origin,
            SettingMap ofThisPool,
            SettingMap ofAllPools) {
        new TreeMap<>(properties).forEach((property, text) -> {
            if (property.startsWith(SettingKey.PREFIX)) {
                String name = property.substring(SettingKey.PREFIX.length());
                String from = origin.apply(property);
                if (name.startsWith(pool + ".")) {
                    add(ofThisPool, name.substring(pool.length() + 1), property, text, from);
                } else if (!isOfAnotherPool(name)) {
                    add(ofAllPools, name, property, text, from);
                }
            }
        });
    }

    /** Adds the variables with this prefix, except those that an earlier place overrides. */
    private static void addVariables(
            Map<String, String> environment, String prefix, SettingMap layer, List<SettingMap> earlier) {
        new TreeMap<>(environment).forEach((name, text) -> {
            Optional<SettingKey<?>> key = VariableName.key(prefix, name);
            if (key.isPresent()
                    && earlier.stream().allMatch(one -> one.get(key.get()).isEmpty())) {
                layer.put(Setting.read(key.get(), name, text, "environment " + name));
            }
        });
    }

    /** Whether it is another pool's key. A setting's name before the dot is a mistake ({@code buffers.max.size}): no pool has it. */
    private static boolean isOfAnotherPool(String name) {
        int dot = name.indexOf('.');
        return dot > 0 && SettingKey.named(name.substring(0, dot)).isEmpty();
    }

    private void add(SettingMap layer, String name, String property, String text, String origin) {
        SettingKey<?> key = SettingKey.named(name).orElseThrow(() -> unknown(property, text, origin));
        layer.put(Setting.read(key, property, text, origin));
    }

    private IllegalArgumentException unknown(String property, String text, String origin) {
        String ofThisPool = SettingKey.PREFIX + pool + ".";
        String prefix = property.startsWith(ofThisPool) ? ofThisPool : SettingKey.PREFIX;
        String name = property.startsWith(prefix) ? property.substring(prefix.length()) : property;
        Optional<SettingKey<?>> nearest = SettingKey.nearest(name.replace('.', '-'));
        return new IllegalArgumentException("unknown key: " + property + "=" + text + " (from " + origin + ")"
                + Spelling.didYouMean(nearest.map(key -> prefix + key.name()))
                + "; accepted after " + SettingKey.PREFIX + " or " + SettingKey.PREFIX + "<pool>.: "
                + SettingKey.names());
    }

    /** The setting from the first place that has it, or the default. */
    public <T> Setting<T> get(SettingKey<T> key) {
        return layers.stream()
                .flatMap(layer -> layer.get(key).stream())
                .findFirst()
                .orElseGet(() -> Setting.ofDefault(key, key.defaultText()));
    }
}
