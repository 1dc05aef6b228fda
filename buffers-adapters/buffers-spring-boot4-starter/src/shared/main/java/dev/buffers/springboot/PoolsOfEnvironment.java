// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.springboot;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.VMOption;
import dev.buffers.BufferPool;
import dev.buffers.LeakReport;
import dev.buffers.PoolSettings.Freeing;
import java.lang.management.ManagementFactory;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.regex.Pattern;
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
 * buffers.<key>}. Spring says which of several sources counts; what it says goes to the pool's builder. Boot names a bad value with its file and line.
 */
final class PoolsOfEnvironment {
    static final String POOL = "server";
    static final String HEAP_POOL = "server-heap";
    static final String APPLICATION_POOL = "application";

    /** The settings that the twin cannot choose: it has separate arrays, which the collector takes, and which have no fixed address. */
    static final Set<String> FIXED_IN_HEAP_POOL = Set.of("policy", "align", "free");

    static final String PREFIX = "buffers.";

    /** A setting of the server alone, not of its pools. */
    static final String MAX_REQUESTS = PREFIX + POOL + ".max-requests";

    /** How the names of a setting end that is refused since its removal. */
    private static final String REMOVED = ".leases";

    private static final Pattern PERCENTAGE = Pattern.compile("[0-9]{1,9}(\\.[0-9]{1,9})?%");
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
        SettingTexts.SETTERS.forEach((key, setter) -> {
            if (!withoutKeys.contains(key)) {
                set(builder, name, key, setter);
            }
        });
        fixed.accept(builder);
        set(builder, name, SettingTexts.MAX, (to, text) -> to.max(maxBytes(name, fixed, withoutKeys, text)));
        return builder.build();
    }

    private void set(
            BufferPool.Builder builder, String pool, String key, BiConsumer<BufferPool.Builder, String> setter) {
        String name = PREFIX + pool + "." + key;
        String text = text(name);
        if (text == null) {
            name = PREFIX + key;
            text = text(name);
        }
        if (text != null) {
            try {
                setter.accept(builder, text.strip());
            } catch (IllegalArgumentException e) {
                throw new InvalidConfigurationPropertyValueException(name, text, e.getMessage());
            }
        }
    }

    private @Nullable String text(String name) {
        return binder.bind(name, String.class).orElse(null);
    }

    private long maxBytes(String pool, Consumer<BufferPool.Builder> fixed, Set<String> withoutKeys, String text) {
        if (!text.endsWith("%")) {
            return SettingTexts.bytesOfMax(text);
        }
        if (!PERCENTAGE.matcher(text).matches()) {
            throw new IllegalArgumentException("not a percentage; accepted: such as 50% or 12.5%");
        }
        BigDecimal percent = new BigDecimal(text.substring(0, text.length() - 1));
        if (percent.signum() == 0 || percent.compareTo(BigDecimal.valueOf(100)) > 0) {
            throw new IllegalArgumentException("accepted: above 0% and up to 100%");
        }
        long limit = isDirect(pool, fixed, withoutKeys)
                ? directLimit()
                : Runtime.getRuntime().maxMemory();
        return percent.multiply(BigDecimal.valueOf(limit))
                .divide(BigDecimal.valueOf(100), 0, RoundingMode.DOWN)
                .max(BigDecimal.ONE)
                .longValueExact();
    }

    /** What the policy's memory is, which only a pool can tell: a policy may be the user's. */
    private boolean isDirect(String pool, Consumer<BufferPool.Builder> fixed, Set<String> withoutKeys) {
        BufferPool.Builder builder =
                BufferPool.builder(pool).jmx(false).align(1).preallocate(0).max(128);
        if (!withoutKeys.contains("policy")) {
            set(builder, pool, "policy", BufferPool.Builder::policy);
        }
        fixed.accept(builder);
        try (BufferPool probe = builder.build()) {
            return probe.settings().policy().direct();
        }
    }

    /** As the pool reads it: the option, or where it is not set the largest heap. */
    private static long directLimit() {
        try {
            HotSpotDiagnosticMXBean bean = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
            VMOption option = bean == null ? null : bean.getVMOption("MaxDirectMemorySize");
            if (option != null && option.getOrigin() != VMOption.Origin.DEFAULT) {
                return Long.parseLong(option.getValue());
            }
        } catch (LinkageError | IllegalArgumentException | UnsupportedOperationException e) {
            // No such module, option or bean: a JVM that is not HotSpot, or a native image.
        }
        return Runtime.getRuntime().maxMemory();
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
        Set<String> keys = new TreeSet<>(SettingTexts.SETTERS.keySet());
        keys.add(SettingTexts.MAX);
        Set<String> names = new TreeSet<>(Set.of(SWITCH, MAX_REQUESTS));
        for (String key : keys) {
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
