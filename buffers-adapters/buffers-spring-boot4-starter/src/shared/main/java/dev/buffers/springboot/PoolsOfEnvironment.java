// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.springboot;

import dev.buffers.BufferPool;
import dev.buffers.LeakReport;
import dev.buffers.PoolSettings.Freeing;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;

/**
 * The server's pools and the application's with the settings that Spring's environment has: {@code buffers.server.<key>} before {@code
 * buffers.<key>}. Spring says which of several sources counts. What it says goes to the pool's builder as text, with the place where it
 * stands: the pool reads the text and names the place in its messages. Boot names a bad value with its file and line.
 */
final class PoolsOfEnvironment {
    static final String POOL = "server";
    static final String HEAP_POOL = "server-heap";
    static final String APPLICATION_POOL = "application";

    /** The settings that the twin cannot choose: it has separate arrays, which the collector takes, and which have no fixed address. */
    static final Set<String> FIXED_IN_HEAP_POOL = Set.of("policy", "align", "free");

    static final String PREFIX = "buffers.";

    /** Every setting of a pool. */
    private static final List<String> KEYS = List.of(
            "policy",
            "max",
            "at-limit",
            "region-size",
            "max-size",
            "max-input",
            "align",
            "preallocate",
            "thread-cache",
            "zero",
            "leaks",
            "trim-after",
            "free",
            "collect",
            "guard",
            "jmx");

    /** A setting of the server alone, not of its pools. */
    static final String MAX_REQUESTS = PREFIX + POOL + ".max-requests";

    /** How the names of a setting end that is refused since its removal. */
    private static final String REMOVED = ".leases";

    private static final String SWITCH = "buffers.spring.enabled";

    private final Environment environment;
    private final Binder binder;

    private PoolsOfEnvironment(Environment environment) {
        this.environment = environment;
        this.binder = Binder.get(environment);
    }

    static ServerBufferPools open(Environment environment) {
        return open(environment, leak -> {});
    }

    /** {@code onLeak} hears of the leaks of both pools. */
    static ServerBufferPools open(Environment environment, Consumer<LeakReport> onLeak) {
        PoolsOfEnvironment settings = new PoolsOfEnvironment(environment);
        settings.refuseUnknownNames();
        BufferPool pool = settings.open(POOL, builder -> builder.forServer().onLeak(onLeak), Set.of());
        if (ServerBufferPools.hasExactArrays(pool)) {
            return ServerBufferPools.of(pool, pool);
        }
        try {
            Consumer<BufferPool.Builder> arrays = builder ->
                    builder.forServer().policy("heap").align(1).free(Freeing.GC).onLeak(onLeak);
            return ServerBufferPools.of(pool, settings.open(HEAP_POOL, arrays, FIXED_IN_HEAP_POOL));
        } catch (RuntimeException e) {
            pool.close();
            throw e;
        }
    }

    /** The pool for the application's code. */
    static BufferPool openForApplication(Environment environment, Consumer<LeakReport> onLeak) {
        PoolsOfEnvironment settings = new PoolsOfEnvironment(environment);
        settings.refuseUnknownNames();
        return settings.open(APPLICATION_POOL, builder -> builder.onLeak(onLeak), Set.of());
    }

    private BufferPool open(String name, Consumer<BufferPool.Builder> fixed, Set<String> withoutKeys) {
        BufferPool.Builder builder = BufferPool.builder(name);
        KEYS.stream().filter(key -> !withoutKeys.contains(key)).forEach(key -> set(builder, name, key));
        fixed.accept(builder);
        return builder.build();
    }

    private void set(BufferPool.Builder builder, String pool, String key) {
        String name = PREFIX + pool + "." + key;
        String text = text(name);
        if (text == null) {
            name = PREFIX + key;
            text = text(name);
        }
        if (text != null) {
            SettingPlace at = SettingPlace.of(environment, name);
            String value = withoutYaml(key, text.strip());
            try {
                builder.set(key, value, at.property(), at.place());
            } catch (IllegalArgumentException e) {
                String known = "bad value: " + at.property() + "=" + value + " (from " + at.place() + ") ";
                String reason = String.valueOf(e.getMessage());
                throw new InvalidConfigurationPropertyValueException(
                        name, text, reason.startsWith(known) ? "It " + reason.substring(known.length()) : reason);
            }
        }
    }

    /** The text as the pool takes it: YAML turns {@code on} into {@code true}, and {@code off} into {@code false}. */
    private static String withoutYaml(String key, String text) {
        boolean yes = text.equals("true") || text.equals("on");
        boolean no = text.equals("false") || text.equals("off");
        return switch (key) {
            case "guard" -> yes ? "on" : no ? "off" : text;
            case "jmx" -> yes ? "true" : no ? "false" : text;
            case "trim-after", "collect" -> no ? "off" : text;
            default -> text;
        };
    }

    private @Nullable String text(String name) {
        return binder.bind(name, String.class).orElse(null);
    }

    /** As core does with system properties and its file, which it reads itself; the environment's variables may be anybody's. */
    private void refuseUnknownNames() {
        ConfigurationPropertyName prefix = ConfigurationPropertyName.of("buffers");
        Set<ConfigurationPropertyName> known = new TreeSet<>();
        names().forEach(name -> known.add(ConfigurationPropertyName.of(name)));
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            if (source instanceof IterableConfigurationPropertySource iterable && !isOfTheJvm(source)) {
                iterable.stream()
                        .filter(name -> prefix.isAncestorOf(name) && !known.contains(name))
                        .findFirst()
                        .ifPresent(name -> refuse(name.toString()));
            }
        }
    }

    private void refuse(String name) {
        Set<String> names = names();
        String reason = name.endsWith(REMOVED)
                ? "This setting was removed; remove it: each lease is always a new object, because reused ones hid lost leases"
                        + " and let a late release end the next holder's lease"
                : "There is no such setting" + DidYouMean.name(name, names) + ". Accepted: " + String.join(", ", names);
        throw new InvalidConfigurationPropertyValueException(name, text(name), reason);
    }

    private static boolean isOfTheJvm(ConfigurationPropertySource source) {
        return source.getUnderlyingSource() instanceof PropertySource<?> underlying
                && (underlying.getName().startsWith(StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME)
                        || underlying
                                .getName()
                                .startsWith(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME));
    }

    /** Every name that an application may set. */
    static Set<String> names() {
        Set<String> names = new TreeSet<>(Set.of(SWITCH, MAX_REQUESTS));
        for (String key : KEYS) {
            names.add(PREFIX + key);
            names.add(PREFIX + POOL + "." + key);
            names.add(PREFIX + APPLICATION_POOL + "." + key);
            if (!FIXED_IN_HEAP_POOL.contains(key)) {
                names.add(PREFIX + HEAP_POOL + "." + key);
            }
        }
        return names;
    }
}
