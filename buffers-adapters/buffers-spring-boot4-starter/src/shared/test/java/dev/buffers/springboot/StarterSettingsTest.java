// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.springboot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.Exhaustion;
import dev.buffers.PoolExhaustedException;
import dev.buffers.PooledBuffer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.ByteArrayResource;

/** What an application's settings come to, and that none of core's is forgotten here or in the metadata. */
class StarterSettingsTest {
    private static final String METADATA = "/META-INF/spring-configuration-metadata.json";

    /** The lines that a pool shows of its settings, each with where it came from. */
    private static List<String> lines(BufferPool pool) {
        return pool.settings().toString().lines().skip(1).toList();
    }

    /** The same as key and value. */
    private static Map<String, String> values(BufferPool pool) {
        Map<String, String> values = new LinkedHashMap<>();
        for (String line : lines(pool)) {
            values.put(
                    line.replaceFirst("=.*", ""), line.replaceFirst(".*?=", "").replaceFirst(" \\(.*", ""));
        }
        return values;
    }

    private static StandardEnvironment environment(String yaml) throws IOException {
        StandardEnvironment environment = new StandardEnvironment();
        ByteArrayResource file = new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8), "application.yml");
        new YamlPropertySourceLoader().load("application.yml", file).forEach(environment.getPropertySources()::addLast);
        return environment;
    }

    private static Map<String, String> coreDefaults() {
        try (BufferPool pool = BufferPool.builder("defaults").forServer().build()) {
            return values(pool);
        }
    }

    @Test
    void everySettingOfCoreIsTakenFromYaml() throws IOException {
        Map<String, String> set = new TreeMap<>();
        set.put("policy", "direct");
        set.put("max", "48m");
        set.put("at-limit", "wait:1500ms");
        set.put("region-size", "2m");
        set.put("max-size", "128k");
        set.put("max-input", "32k");
        set.put("align", "4k");
        set.put("preallocate", "64k");
        set.put("thread-cache", "1m");
        set.put("zero", "release");
        set.put("leaks", "sample:7");
        set.put("trim-after", "off");
        set.put("free", "gc");
        set.put("collect", "off");
        set.put("guard", "on");
        set.put("jmx", "true");
        assertEquals(coreDefaults().keySet(), new LinkedHashMap<>(inCoresOrder(set)).keySet());
        StringBuilder yaml = new StringBuilder("buffers:\n");
        set.forEach((key, value) ->
                yaml.append("  ").append(key).append(": ").append(value).append('\n'));
        try (ServerBufferPools pools = PoolsOfEnvironment.open(environment(yaml.toString()))) {
            for (String line : lines(pools.pool())) {
                assertTrue(line.contains("(Byte array resource [application.yml] - "), line);
            }
            assertEquals(set, new TreeMap<>(values(pools.pool())));
            assertEquals("heap", values(pools.heapPool()).get("policy"));
            assertEquals("48m", values(pools.heapPool()).get("max"));
            assertEquals("1", values(pools.heapPool()).get("align"));
        }
    }

    private static Map<String, String> inCoresOrder(Map<String, String> set) {
        Map<String, String> ordered = new LinkedHashMap<>();
        coreDefaults().keySet().forEach(key -> {
            if (set.containsKey(key)) {
                ordered.put(key, set.get(key));
            }
        });
        return ordered;
    }

    @Test
    void aPoolsOwnSettingWinsAndNamesAreRelaxed() throws IOException {
        StandardEnvironment environment = environment("buffers:\n"
                + "  max: 64m\n"
                + "  atLimit: unpooled\n"
                + "  server:\n"
                + "    max: 25%\n"
                + "  serverHeap:\n"
                + "    max_size: 64k\n");
        try (ServerBufferPools pools = PoolsOfEnvironment.open(environment)) {
            long limit = Long.parseLong(java.lang.management.ManagementFactory.getPlatformMXBean(
                            com.sun.management.HotSpotDiagnosticMXBean.class)
                    .getVMOption("MaxDirectMemorySize")
                    .getValue());
            assertEquals(limit / 4, pools.pool().settings().maxBytes());
            assertEquals(64 << 20, pools.heapPool().settings().maxBytes());
            assertEquals(64 << 10, pools.heapPool().settings().maxSize());
            assertEquals("unpooled", pools.pool().settings().atLimit().toString());
        }
    }

    /** As Spring's {@code DataSize}, as Kubernetes and as the JVM write it. */
    @ParameterizedTest
    @ValueSource(strings = {"64MB", "64mb", "64Mi", "64MiB", "64M", "64m", "67108864", "67108864B"})
    void sizesHaveTheUsualSpellings(String size) throws IOException {
        try (ServerBufferPools pools = PoolsOfEnvironment.open(environment("buffers.max: " + size + "\n"))) {
            assertEquals(64 << 20, pools.pool().settings().maxBytes());
            assertEquals(64 << 20, pools.heapPool().settings().maxBytes());
        }
    }

    @Test
    void poolOfApplicationFailsAtItsCapAndServersDoNot() throws IOException {
        StandardEnvironment environment = environment("buffers:\n  max: 64m\n  application:\n    max: 8m\n");
        try (ServerBufferPools pools = PoolsOfEnvironment.open(environment);
                BufferPool application = PoolsOfEnvironment.openForApplication(environment, leak -> {})) {
            assertEquals("application", application.name());
            assertEquals(8 << 20, application.settings().maxBytes());
            assertEquals(Exhaustion.fail(), application.settings().atLimit());
            for (BufferPool pool : pools.all()) {
                assertEquals(64 << 20, pool.settings().maxBytes());
                assertEquals(Exhaustion.unpooled(), pool.settings().atLimit());
            }
        }
    }

    @Test
    void settingsShowWhereSpringHasThemFrom() throws IOException {
        StandardEnvironment environment =
                environment("buffers:\n  max: 64m\n  server:\n    leaks: all\n  server-heap:\n    max: 16m\n");
        try (ServerBufferPools pools = PoolsOfEnvironment.open(environment)) {
            List<String> server = lines(pools.pool());
            assertTrue(server.contains("max=64m (Byte array resource [application.yml] - 2:8)"), server::toString);
            assertTrue(server.contains("leaks=all (Byte array resource [application.yml] - 4:12)"), server::toString);
            assertTrue(server.contains("jmx=false (default)"), server::toString);
            List<String> heap = lines(pools.heapPool());
            assertTrue(heap.contains("max=16m (Byte array resource [application.yml] - 6:10)"), heap::toString);
            assertTrue(heap.contains("policy=heap (builder)"), "fixed by the starter: " + heap);
        }
    }

    /** One that an application has set in a file, one that it has set for all pools, and one that it has not set. */
    @Test
    void refusalNamesThePropertyThatTheApplicationHasSet() throws IOException {
        StandardEnvironment environment =
                environment("buffers:\n  max: 64KB\n  server:\n    max: 128KB\n    at-limit: fail\n");
        try (ServerBufferPools pools = PoolsOfEnvironment.open(environment);
                BufferPool application = PoolsOfEnvironment.openForApplication(environment, leak -> {})) {
            assertAdvises(
                    pools.pool(),
                    "raise buffers.server.max in Byte array resource [application.yml] - 4:10,"
                            + " or wait: buffers.server.at-limit=wait:1s in Byte array resource [application.yml] - 5:15");
            assertAdvises(pools.heapPool(), "raise buffers.max in Byte array resource [application.yml] - 2:8");
            assertAdvises(
                    application,
                    "raise buffers.max in Byte array resource [application.yml] - 2:8,"
                            + " or wait: -Dbuffers.application.at-limit=wait:1s");
        }
    }

    @Test
    void refusalNamesThePropertyOrVariableOfTheJvm() throws IOException {
        StandardEnvironment environment = environment("buffers.max: 128k\n");
        environment
                .getPropertySources()
                .addFirst(new SystemEnvironmentPropertySource(
                        StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, Map.of("BUFFERS_MAX", "64Ki")));
        System.setProperty("buffers.application.max", "32k");
        try (ServerBufferPools pools = PoolsOfEnvironment.open(environment);
                BufferPool application = PoolsOfEnvironment.openForApplication(new StandardEnvironment(), leak -> {})) {
            assertAdvises(pools.pool(), "raise BUFFERS_MAX in the environment");
            assertTrue(lines(pools.pool()).contains("max=64k (environment BUFFERS_MAX)"));
            assertAdvises(
                    application, "raise -Dbuffers.application.max, or wait: -Dbuffers.application.at-limit=wait:1s");
        } finally {
            System.clearProperty("buffers.application.max");
        }
    }

    private static void assertAdvises(BufferPool pool, String advice) {
        int all = Math.toIntExact(pool.settings().maxBytes());
        try (PooledBuffer lease = pool.acquire(all)) {
            String message = assertThrows(PoolExhaustedException.class, () -> pool.acquire(1, Duration.ofMillis(1)))
                    .getMessage();
            assertTrue(message.contains(" (" + advice + "), max="), message);
            assertEquals(all, lease.buffer().limit());
        }
    }

    @Test
    void springSaysWhichSourceCounts() throws IOException {
        StandardEnvironment environment = environment("buffers.max: 64m\n");
        environment
                .getPropertySources()
                .addFirst(new SystemEnvironmentPropertySource(
                        StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                        Map.of("BUFFERS_MAX", "32m", "BUFFERS_SERVER_MAXSIZE", "64k", "BUFFERS_SOMEBODY_ELSES", "1")));
        try (ServerBufferPools pools = PoolsOfEnvironment.open(environment)) {
            assertEquals(32 << 20, pools.pool().settings().maxBytes());
            assertEquals(64 << 10, pools.pool().settings().maxSize());
        }
    }

    @Test
    void theSwitchIsNoMistakeToCore() {
        System.setProperty("buffers.spring.enabled", "false");
        try (BufferPool pool = BufferPool.create()) {
            assertEquals("default", pool.name());
        } finally {
            System.clearProperty("buffers.spring.enabled");
        }
    }

    @Test
    void onePoolWithExactArraysNeedsNoTwin() throws IOException {
        try (ServerBufferPools pools =
                PoolsOfEnvironment.open(environment("buffers.policy: heap\nbuffers.max: 10%\n"))) {
            assertEquals(List.of(pools.pool()), pools.all());
            assertEquals(
                    Runtime.getRuntime().maxMemory() / 10,
                    pools.pool().settings().maxBytes());
        }
    }

    @Test
    void heapTwinIgnoresPromptFreeing() throws IOException {
        if (Runtime.version().feature() < 22) {
            assertThrows(
                    IllegalArgumentException.class,
                    () -> PoolsOfEnvironment.open(environment("buffers.free: prompt\n")));
            return;
        }
        try (ServerBufferPools pools = PoolsOfEnvironment.open(environment("buffers.free: prompt\n"))) {
            assertEquals("prompt", pools.pool().settings().free().toString());
            assertEquals("gc", pools.heapPool().settings().free().toString());
        }
    }

    @Test
    void aMistakeIsNamedWithItsProperty() throws IOException {
        Map<String, String> mistakes = new LinkedHashMap<>();
        mistakes.put(
                "buffers.max=64 MB",
                "It is not a number of bytes, did you mean 64m?; accepted: bytes such as 64m or 64MB");
        mistakes.put(
                "buffers.region-size=4 KiB",
                "It is not a number of bytes, did you mean 4k?; accepted: bytes, 4k to 1g");
        mistakes.put("buffers.max=many", "or a percentage above 0% and up to 100% of the JVM's limit for that memory");
        mistakes.put("buffers.max=0%", "It is out of range; accepted: ");
        mistakes.put("buffers.max=many%", "It is not a percentage");
        mistakes.put("buffers.server.max-size=1", "too small");
        mistakes.put("buffers.leaks=sample:x", "sample:<n>");
        mistakes.put("buffers.leaks=older:30", "It is not a time");
        mistakes.put("buffers.trim-after=10", "It is not a time, did you mean 10s?");
        mistakes.put("buffers.zero=sometimes", "never or release or acquire");
        mistakes.put("buffers.polcy=heap", "There is no such setting; did you mean buffers.policy?");
        mistakes.put("buffers.leases=recycled", "This setting was removed; remove it");
        mistakes.put("buffers.server-heap.leases=fresh", "This setting was removed; remove it");
        mistakes.put("buffers.server-heap.policy=heap", "There is no such setting");
        mistakes.put("buffers.web.max=1m", "There is no such setting");
        mistakes.forEach((line, reason) -> {
            String name = line.replaceFirst("=.*", "");
            StandardEnvironment environment = new StandardEnvironment();
            environment
                    .getPropertySources()
                    .addLast(new MapPropertySource("application", Map.of(name, line.replaceFirst(".*?=", ""))));
            var wrong = assertThrows(
                    InvalidConfigurationPropertyValueException.class, () -> PoolsOfEnvironment.open(environment), line);
            assertEquals(name, wrong.getName());
            assertTrue(wrong.getReason().contains(reason), wrong.getReason());
        });
        try (BufferPool pool = BufferPool.create("server")) {
            assertEquals("server", pool.name(), "each attempt closed what it had opened");
        }
    }

    @Test
    @SuppressWarnings("unchecked")
    void theMetadataHasEverySettingAndNoOther() throws IOException {
        Map<String, Object> metadata;
        try (InputStream in = StarterSettingsTest.class.getResourceAsStream(METADATA)) {
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            metadata = JsonParserFactory.getJsonParser().parseMap(text);
        }
        Map<String, String> core = coreDefaults();
        Set<String> described = new TreeSet<>();
        for (Map<String, Object> property : (List<Map<String, Object>>) metadata.get("properties")) {
            String name = (String) property.get("name");
            described.add(name);
            assertFalse(((String) property.get("description")).isBlank(), name);
            String usual = core.get(name.replaceFirst("buffers\\.", ""));
            if (usual != null && !name.equals("buffers.max")) {
                assertEquals(usual, String.valueOf(property.get("defaultValue")), name);
            }
        }
        Set<String> expected = new TreeSet<>(Set.of("buffers.spring.enabled", "buffers.server.max-requests"));
        for (String key : core.keySet()) {
            expected.add("buffers." + key);
            expected.add("buffers.server." + key);
            expected.add("buffers.server-heap." + key);
            expected.add("buffers.application." + key);
        }
        expected.removeAll(
                Set.of("buffers.server-heap.policy", "buffers.server-heap.align", "buffers.server-heap.free"));
        assertEquals(expected, described);
        assertEquals(expected, PoolsOfEnvironment.names());
    }
}
