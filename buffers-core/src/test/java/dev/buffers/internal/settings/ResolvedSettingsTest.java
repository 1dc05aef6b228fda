// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.PoolSettings;
import dev.buffers.internal.memory.DirectLimit;
import dev.buffers.internal.text.ByteSize;
import dev.buffers.support.Explicit;
import dev.buffers.support.Refusal;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How the settings of a pool called {@code web} come about. */
class ResolvedSettingsTest {
    private final ExplicitSettings explicit = new Explicit();
    private final Map<String, String> options = new HashMap<>();
    private final Map<String, String> environment = new HashMap<>();

    private ResolvedSettings resolve() {
        return ResolvedSettings.resolve("web", explicit, options, environment);
    }

    /** Slots are multiples of 128 bytes; a region has room for one of max-size. */
    @Test
    void regionSizeIsRoundedUp() {
        options.put("buffers.region-size", "10000");
        assertEquals(10_112, resolve().regionSize());
        assertEquals(10_112, resolve().maxSize());
        assertEquals(10_112, resolve().maxInput());
        assertTrue(resolve().toString().contains("rounded up to a multiple of 128"), resolve()::toString);
        options.put("buffers.max-size", "10000");
        assertEquals(10_000, resolve().maxSize());
        options.remove("buffers.region-size");
        options.put("buffers.max-size", "5000001");
        assertEquals(5_000_064, resolve().regionSize());
    }

    @Test
    void alignmentRoundsUpRegionsAndNeedsDirectMemory() {
        options.put("buffers.align", "4k");
        assertEquals(4096, resolve().align());
        options.put("buffers.region-size", "10000");
        assertEquals(12 << 10, resolve().regionSize());
        options.put("buffers.max", "4095");
        Refusal.of(
                this::resolve,
                "bad value: buffers.max=4095 (from -Dbuffers.max) holds no buffer of the smallest size; accepted: at least 4096");
        options.put("buffers.max", "4096");
        assertEquals(4096, resolve().maxBytes());
        options.put("buffers.align", "5k");
        Refusal.of(
                this::resolve,
                "bad value: buffers.align=5k (from -Dbuffers.align) is not a power of two; accepted: a power of two from 1 to 64k");
        options.put("buffers.align", "128k");
        Refusal.of(
                this::resolve, "bad value: buffers.align=128k (from -Dbuffers.align) is too large; accepted: a power");
        options.put("buffers.align", "64k");
        options.put("buffers.max", "64k");
        options.put("buffers.policy", "heap-view");
        Refusal.of(
                this::resolve,
                "bad value: buffers.align=64k (from -Dbuffers.align) is for direct memory, and policy=heap-view is not; accepted:"
                        + " 1, or policy=direct-view or direct with it");
        options.put("buffers.align", "1");
        assertEquals(1, resolve().align());
    }

    @Test
    void whereASettingIsChanged() {
        assertEquals("-Dbuffers.web.max", resolve().where("max"));
        assertEquals("-Dbuffers.web.leaks=all", resolve().where("leaks", "all"));
        assertEquals("-Dbuffers.web.max", resolve().named("web-2").where("max"));
        environment.put("BUFFERS_MAX", "3m");
        assertEquals("BUFFERS_MAX in the environment", resolve().where("max"));
        assertEquals("BUFFERS_MAX=4m in the environment", resolve().where("max", "4m"));
        options.put("buffers.max", "3m");
        assertEquals("-Dbuffers.max=4m", resolve().where("max", "4m"));
        options.put("buffers.web.max", "3m");
        assertEquals("-Dbuffers.web.max", resolve().where("max"));
        explicit.max(3 << 20);
        assertEquals("the builder's max", resolve().where("max"));
        assertEquals("the builder's max=4m", resolve().where("max", "4m"));
        explicit.set("max", "3MB", "pool.max", "server.yml, line 3");
        assertEquals("pool.max in server.yml, line 3", resolve().where("max"));
        assertEquals("pool.max=4m in server.yml, line 3", resolve().where("max", "4m"));
        assertTrue(resolve().toString().contains("\nmax=3m (server.yml, line 3)\n"));
        explicit.set("max", "3MB", "buffers.web.max", "-Dbuffers.web.max");
        assertEquals("-Dbuffers.web.max", resolve().where("max"));
        explicit.set("max", "3MB", "BUFFERS_MAX", "environment BUFFERS_MAX");
        assertEquals("BUFFERS_MAX in the environment", resolve().where("max"));
    }

    @Test
    void faultFoundLateNamesThePlaceInAFrameworksConfiguration() {
        explicit.set("max-size", "64k", "pool.max-size", "server.yml, line 3");
        explicit.set("region-size", "32k", "pool.region-size", "server.yml, line 4");
        Refusal.of(
                this::resolve,
                "bad value: pool.max-size=64k (from server.yml, line 3) is more than"
                        + " region-size=32k (server.yml, line 4); accepted: at most region-size");
    }

    @Test
    void variableIsCheckedOnlyWhereUsed() {
        environment.put("BUFFERS_MAX", "1.5g");
        Refusal.of(
                this::resolve,
                "bad value: BUFFERS_MAX=1.5g (from environment BUFFERS_MAX) is not a number of bytes,"
                        + " did you mean 1536m?; accepted: bytes such as 64m or 64MB, at least 128, or a percentage");
        options.put("buffers.web.max", "3m");
        assertEquals(3 << 20, resolve().maxBytes());
        environment.put("BUFFERS_WEB_ZERO", "never");
        environment.put("BUFFERS_ZERO", "sometimes");
        assertEquals(PoolSettings.Zeroing.NEVER, resolve().zero());
    }

    @ParameterizedTest
    @CsvSource({"heap, 25, of heap", "unpooled, 25, of heap", "direct, 50, of direct memory"})
    void theDefaultCapFollowsThePolicysMemory(String policy, int percent, String memory) {
        options.put("buffers.policy", policy);
        long limit = policy.equals("direct")
                ? DirectLimit.limit()
                : Runtime.getRuntime().maxMemory();
        PoolSettings settings = resolve();
        assertEquals(limit / 100.0 * percent, settings.maxBytes(), 1);
        assertTrue(settings.sharesDefaultBudget());
        String line = "max=" + ByteSize.text(settings.maxBytes()) + " (default, " + percent + "% of the JVM's "
                + ByteSize.text(limit) + " " + memory + ", shared by all such pools that set no max)";
        assertEquals(line, settings.toString().lines().toList().get(2));
    }

    @Test
    void aPercentageIsOfThePolicysMemory() {
        options.put("buffers.max", "12.5%");
        assertEquals(DirectLimit.limit() / 8, resolve().maxBytes());
        options.put("buffers.policy", "heap-view");
        PoolSettings settings = resolve();
        assertEquals(Runtime.getRuntime().maxMemory() / 8, settings.maxBytes());
        assertFalse(settings.sharesDefaultBudget());
        assertTrue(settings.toString().contains(" (-Dbuffers.max, 12.5% of the JVM's "), settings.toString());
        options.put("buffers.max", "25%");
        assertFalse(resolve().sharesDefaultBudget(), "though the default is as much");
    }

    @Test
    void maxSizeAndRegionSizeGiveWayUnlessBothAreSet() {
        options.put("buffers.region-size", "64k");
        assertEquals(64 << 10, resolve().maxSize());
        assertTrue(resolve().toString().contains("\nmax-size=64k (default, lowered to region-size)\n"));
        options.put("buffers.max-size", "128k");
        Refusal.of(
                this::resolve,
                "bad value: buffers.max-size=128k (from -Dbuffers.max-size) is more than"
                        + " region-size=64k (-Dbuffers.region-size); accepted: at most region-size");
        options.put("buffers.max-size", "64k");
        assertEquals(64 << 10, resolve().maxSize());
        options.remove("buffers.region-size");
        options.put("buffers.max-size", "8m");
        assertEquals(8 << 20, resolve().regionSize());
        assertTrue(resolve().toString().contains("\nregion-size=8m (default, raised to max-size)\n"));
    }

    @Test
    void inputIsAtMostThePooledSize() {
        options.put("buffers.max-size", "8k");
        assertTrue(resolve().toString().contains("\nmax-input=8k (default, lowered to max-size)\n"));
        options.put("buffers.max-input", "9k");
        Refusal.of(
                this::resolve,
                "bad value: buffers.max-input=9k (from -Dbuffers.max-input) is more than max-size=8k (-Dbuffers.max-size);"
                        + " accepted: at most max-size");
        options.remove("buffers.max-size");
        options.put("buffers.max-input", "257k");
        Refusal.of(this::resolve, "is more than max-size=256k (default); accepted: at most max-size");
    }

    @Test
    void percentageThatIsTooSmallIsNamed() {
        explicit.policy("heap");
        options.put("buffers.max", "0.000000001%");
        Refusal.of(
                this::resolve,
                "bad value: buffers.max=",
                "(from -Dbuffers.max, 0.000000001% of the JVM's",
                "accepted: at least 128 bytes");
    }

    @Test
    void preallocateFitsUnderMax() {
        explicit.max(1 << 20);
        options.put("buffers.preallocate", "1m");
        assertEquals(1 << 20, resolve().preallocate());
        options.put("buffers.preallocate", "1048577");
        Refusal.of(
                this::resolve,
                "bad value: buffers.preallocate=1048577 (from -Dbuffers.preallocate) is more than max=1m (builder);"
                        + " accepted: at most max");
    }

    @Test
    void resolveReadsCurrentSystemProperties() {
        String property = "buffers.settings-test.max";
        System.setProperty(property, "3m");
        try {
            assertEquals(
                    3 << 20, ResolvedSettings.resolve("settings-test", explicit).maxBytes());
            System.setProperty(property, "4m");
            assertEquals(
                    4 << 20, ResolvedSettings.resolve("settings-test", explicit).maxBytes());
        } finally {
            System.clearProperty(property);
        }
        assertTrue(ResolvedSettings.resolve("settings-test", explicit).sharesDefaultBudget());
    }
}
