// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPolicy;
import dev.buffers.BufferPool;
import dev.buffers.internal.memory.BuiltInPolicy;
import dev.buffers.support.Explicit;
import dev.buffers.support.Kind;
import dev.buffers.support.Refusal;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class ExplicitSettingsTest {
    private final ExplicitSettings settings = new Explicit();

    @Test
    void lastCallOfSetterCounts() {
        settings.trimAfter(Duration.ofSeconds(1));
        settings.trimNever();
        settings.maxSize(1024);
        settings.maxSize(2048);
        assertEquals(List.of("trim-after=off (builder)", "max-size=2k (builder)"), lines());
    }

    @Test
    void aPolicyIsAnObjectOrAName() {
        BufferPolicy own = own("own");
        settings.policy(own);
        assertSame(own, settings.policy().orElseThrow());
        assertEquals(List.of("policy=own (builder)"), lines());
        settings.policy("heap");
        assertEquals(Optional.empty(), settings.policy());
        settings.policy(BuiltInPolicy.DIRECT);
        assertEquals(List.of("policy=direct (builder)"), lines());
    }

    @Test
    void textOfAFrameworksConfigurationIsReadAsThatOfAProperty() {
        settings.max(1024);
        settings.set("max", "64MB", "pool.max", "server.yml");
        settings.set("at-limit", "wait:10s", "pool.at-limit", "server.yml");
        assertEquals(List.of("max=64m (server.yml)", "at-limit=wait:10s (server.yml)"), lines());
        settings.max(2048);
        assertEquals(List.of("max=2k (builder)", "at-limit=wait:10s (server.yml)"), lines());
    }

    @Test
    void policyInAFrameworksConfigurationReplacesAnObject() {
        settings.policy(own("own"));
        settings.set("policy", "heap", "pool.policy", "server.yml");
        assertEquals(Optional.empty(), settings.policy());
        assertEquals(List.of("policy=heap (server.yml)"), lines());
    }

    @Test
    void faultInAFrameworksConfigurationIsNamedWithItsPlace() {
        Refusal.of(
                () -> settings.set("max", "64 MB", "pool.max", "server.yml"),
                "bad value: pool.max=64 MB (from server.yml) is not a number of bytes, did you mean 64m?; accepted: bytes");
        Refusal.of(
                () -> settings.set("max_size", "64k", "pool.max_size", "server.yml"),
                "unknown key: max_size=64k (from server.yml), did you mean max-size?; accepted: policy, max, at-limit");
        for (String reserved : List.of(" ", "default", "builder")) {
            Refusal.of(
                    () -> settings.set("max", "64k", "pool.max", reserved),
                    "bad place: property=pool.max, place=" + reserved + "; accepted: ");
        }
        Refusal.of(() -> settings.set("max", "64k", "", "server.yml"), "bad place: property=, place=server.yml");
        assertEquals(List.of(), lines());
    }

    @Test
    void setterRefusesBadValueAtOnce() {
        Refusal.of(
                () -> settings.max(-5),
                "bad value: buffers.max=-5 (from builder) is negative; accepted: bytes such as 64m");
        Refusal.of(
                () -> settings.max(0),
                "bad value: buffers.max=0 (from builder) is too small; accepted: bytes such as 64m or 64MB, at least 128");
        Refusal.of(
                () -> settings.regionSize(4095),
                "bad value: buffers.region-size=4095 (from builder) is too small; accepted: bytes, 4k to 1g");
        Refusal.of(() -> settings.regionSize((1L << 30) + 1), "is too large");
        Refusal.of(() -> settings.maxSize(1023), "buffers.max-size=1023", "is too small; accepted: bytes, 1k to 16m");
        Refusal.of(() -> settings.maxSize(-1024), "buffers.max-size=-1k (from builder) is negative");
        Refusal.of(() -> settings.preallocate(-1), "buffers.preallocate=-1", "is negative; accepted: bytes, 0 or more");
        Refusal.of(() -> settings.threadCache(Long.MIN_VALUE), "buffers.thread-cache=-8589934592g", "is negative");
        Refusal.of(
                () -> settings.trimAfter(Duration.ZERO),
                "bad value: buffers.trim-after=PT0S (from builder) is zero or negative; accepted: off, or a time such as");
        Refusal.of(() -> settings.trimAfter(Duration.ofSeconds(Long.MAX_VALUE)), "is more than 292 years");
        assertEquals(List.of(), lines());
    }

    @Test
    void policyNeedsNonBlankNameThatIsNotBuiltIn() {
        Refusal.of(() -> settings.policy(" "), "bad value: buffers.policy= ", "is blank; accepted: heap, direct");
        Refusal.of(
                () -> settings.policy(own(" ")),
                "policy without a name: dev.buffers.support.Kind$Own.name()=\" \"",
                "accepted: a name that is not blank");
        Refusal.of(() -> settings.policy(own(null)), "Own.name()=null");
        Refusal.of(
                () -> settings.policy(own("heap")),
                "policy by a built-in name: dev.buffers.support.Kind$Own.name()=heap; accepted: another name");
        assertEquals(List.of(), lines());
    }

    @Test
    void nothingMayBeNull() {
        nothing("policy", () -> settings.policy((String) null));
        nothing("policy", () -> settings.policy((BufferPolicy) null));
        nothing("at-limit", () -> settings.atLimit(null));
        nothing("zero", () -> settings.zero(null));
        nothing("leaks", () -> settings.leaks(null));
        nothing("trim-after", () -> settings.trimAfter(null));
        nothing("free", () -> settings.free(null));
        assertEquals(List.of(), lines());
    }

    @Test
    void invalidNameIsRefusedByBuild() {
        BufferPool.Builder builder = BufferPool.builder("a.b");
        assertThrows(IllegalArgumentException.class, builder::build);
    }

    private static void nothing(String key, Executable setter) {
        String message = assertThrows(NullPointerException.class, setter).getMessage();
        assertTrue(message.startsWith("missing value: buffers." + key + "=null; accepted: "), message);
    }

    private static BufferPolicy own(String name) {
        return new Kind.Own(name, false, false, ByteBuffer::allocate);
    }

    private List<String> lines() {
        return settings.settings().values().stream().map(Setting::toString).toList();
    }
}
