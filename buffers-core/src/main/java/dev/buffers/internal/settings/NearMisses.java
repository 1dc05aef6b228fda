package dev.buffers.internal.settings;

import dev.buffers.internal.signals.Callbacks;
import dev.buffers.internal.signals.PoolName;
import dev.buffers.internal.text.Spelling;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Finds system properties and environment variables that were probably meant for this library, but that no pool reads: another prefix
 * ({@code buffer.policy}, {@code dev.buffers.policy}), a pool that does not exist ({@code buffers.wbe.policy} while there is a pool {@code
 * web}), an unknown variable ({@code BUFFERS_POLCY}). They may be somebody else's, so they are logged and are no error.
 *
 * <p>Any thread. Each name is logged once in the life of the JVM. Values are not logged: what is not ours may be a secret.
 */
final class NearMisses {
    private static final Set<String> LOGGED = ConcurrentHashMap.newKeySet();
    private static final String PACKAGE = "dev." + SettingKey.PREFIX;

    /** The switch of the Spring Boot starter, which is no setting of a pool. */
    private static final String SPRING_SWITCH = VariableName.PREFIX + "SPRING_ENABLED";

    private final String pool;
    private final Collection<String> open;
    private final Map<String, String> found = new TreeMap<>();

    private NearMisses(String pool, Collection<String> open) {
        this.pool = pool;
        this.open = open;
    }

    /** Logs what has not been logged yet. */
    static void warn(String pool, Map<String, String> systemProperties, Map<String, String> environment) {
        find(pool, PoolName.open(), systemProperties, environment).forEach((name, complaint) -> {
            if (LOGGED.add(name)) {
                Callbacks.warn(complaint + " (found when a pool was made: pool=" + pool + ")", null);
            }
        });
    }

    /**
     * The complaint about each name that is a near miss.
     *
     * @param pool the name of the pool that is being made
     * @param open the names of the open pools
     */
    static Map<String, String> find(
            String pool,
            Collection<String> open,
            Map<String, String> systemProperties,
            Map<String, String> environment) {
        NearMisses misses = new NearMisses(pool, open);
        systemProperties.keySet().forEach(misses::lookAtProperty);
        environment.keySet().forEach(misses::lookAtVariable);
        return misses.found;
    }

    private void add(String name, String fault, Optional<String> meant) {
        found.put(name, fault + ": " + name + Spelling.didYouMean(meant));
    }

    private void lookAtProperty(String property) {
        int dot = property.lastIndexOf('.');
        String key = property.substring(dot + 1);
        if (dot < 0 || SettingKey.named(key).isEmpty()) {
            return;
        }
        if (property.startsWith(SettingKey.PREFIX)) {
            String of = property.substring(SettingKey.PREFIX.length(), Math.max(SettingKey.PREFIX.length(), dot));
            if (isMisspeltPool(of, pool, open)) {
                add(
                        "-D" + property,
                        "system property for a pool that there is not",
                        Optional.of("-D" + SettingKey.PREFIX + pool + "." + key));
            }
            return;
        }
        int prefix = property.startsWith(PACKAGE) ? PACKAGE.length() - 1 : property.indexOf('.');
        String rest = property.substring(prefix + 1);
        boolean isOurs = rest.equals(key) || rest.equals(pool + "." + key);
        if (isOurs && (property.startsWith(PACKAGE) || isLikePrefix(property.substring(0, prefix)))) {
            add("-D" + property, "unknown system property", Optional.of("-D" + SettingKey.PREFIX + rest));
        }
    }

    private void lookAtVariable(String variable) {
        String ofPool = VariableName.prefix(pool);
        if (variable.startsWith(VariableName.PREFIX)) {
            lookAtOurVariable(variable, ofPool);
            return;
        }
        int end = variable.indexOf('_');
        if (end > 0 && isLikePrefix(variable.substring(0, end))) {
            String right = VariableName.PREFIX + variable.substring(end + 1).toUpperCase(Locale.ROOT);
            if (VariableName.key(VariableName.PREFIX, right).isPresent()
                    || VariableName.key(ofPool, right).isPresent()) {
                add(variable, "unknown environment variable", Optional.of(right));
            }
        }
    }

    private void lookAtOurVariable(String variable, String ofPool) {
        if (VariableName.key(VariableName.PREFIX, variable).isPresent()
                || VariableName.key(ofPool, variable).isPresent()
                || variable.equals(SPRING_SWITCH)) {
            return;
        }
        String name = variable.substring(VariableName.PREFIX.length());
        for (SettingKey<?> key : SettingKey.ALL) {
            String end = "_" + VariableName.part(key.name());
            String spring = "_" + VariableName.part(key.name()).replace("_", "");
            if (name.endsWith(end) || name.endsWith(spring)) {
                String of = name.substring(0, name.length() - (name.endsWith(end) ? end : spring).length());
                List<String> parts = open.stream().map(VariableName::part).toList();
                if (isMisspeltPool(of, VariableName.part(pool), parts)) {
                    add(
                            variable,
                            "environment variable for a pool that there is not",
                            Optional.of(ofPool + end.substring(1)));
                }
                return; // another pool's
            }
        }
        String prefix = variable.startsWith(ofPool) ? ofPool : VariableName.PREFIX;
        List<String> names = new ArrayList<>();
        SettingKey.ALL.forEach(key -> names.add(key.name()));
        String written = variable.substring(prefix.length()).replace('_', '-');
        add(
                variable,
                "unknown environment variable",
                Spelling.nearest(names, written).map(key -> prefix + VariableName.part(key)));
    }

    private static boolean isLikePrefix(String prefix) {
        return Spelling.distance(prefix.toLowerCase(Locale.ROOT), "buffers") <= 2;
    }

    /** Whether no pool has that name, which is much like that of this one. Names that differ in digits are those of numbered pools. */
    private static boolean isMisspeltPool(String name, String pool, Collection<String> open) {
        String letters = name.replaceAll("[0-9]", "");
        return !name.isEmpty()
                && !name.equals(pool)
                && !open.contains(name)
                && SettingKey.named(name).isEmpty()
                && !letters.equals(pool.replaceAll("[0-9]", ""))
                && Spelling.distance(name, pool) <= (pool.length() < 5 ? 1 : 2);
    }
}
