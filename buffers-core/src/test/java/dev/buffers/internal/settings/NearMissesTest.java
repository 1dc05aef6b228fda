// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.support.Jvm;
import dev.buffers.support.Logged;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What looks as if it were meant for this library, and is read by no pool. The pool {@code web} is made, {@code api} is open. */
class NearMissesTest {
    private static final String NOT_OURS = "s3cret";

    /** The name of a system property, or in capitals of an environment variable. */
    private static List<String> find(String name) {
        Map<String, String> one = Map.of(name, NOT_OURS);
        boolean property = name.contains(".") || name.equals("policy");
        return List.copyOf(new NearMisses("web", Set.of("api"), property ? one : Map.of(), property ? Map.of() : one)
                .found.values());
    }

    @ParameterizedTest
    @CsvSource({
        "unknown system property, buffer.policy, buffers.policy",
        "unknown system property, Buffers.policy, buffers.policy",
        "unknown system property, bufers.max-size, buffers.max-size",
        "unknown system property, dev.buffers.policy, buffers.policy",
        "unknown system property, buffer.web.policy, buffers.web.policy",
        "unknown system property, dev.buffers.web.max, buffers.web.max",
        "system property for an unknown pool, buffers.wbe.policy, buffers.web.policy",
        "system property for an unknown pool, buffers.we.policy, buffers.web.policy",
        "system property for an unknown pool, buffers.wweb.policy, buffers.web.policy",
        "system property for an unknown pool, buffers.Web.policy, buffers.web.policy",
        "system property for an unknown pool, buffers.WEB.policy, buffers.web.policy",
        "unknown environment variable, BUFFERS_POLCY, BUFFERS_POLICY",
        "unknown environment variable, BUFFERS_WEB_POLCY, BUFFERS_WEB_POLICY",
        "unknown environment variable, BUFFERS_TRIM, BUFFERS_TRIM_AFTER",
        "unknown environment variable, BUFFER_POLICY, BUFFERS_POLICY",
        "unknown environment variable, buffers_policy, BUFFERS_POLICY",
        "unknown environment variable, BUFFER_WEB_MAX_SIZE, BUFFERS_WEB_MAX_SIZE",
        "environment variable for an unknown pool, BUFFERS_WBE_MAX_SIZE, BUFFERS_WEB_MAX_SIZE",
        "environment variable for an unknown pool, BUFFERS_WBE_MAXSIZE, BUFFERS_WEB_MAX_SIZE",
        "environment variable for an unknown pool, BUFFERS_web_MAX_SIZE, BUFFERS_WEB_MAX_SIZE",
        "unknown environment variable, BUFFERS_SERVICE_HOST,"
    })
    void nearMissIsFound(String what, String name, String meant) {
        String option = what.contains("property") ? "-D" : "";
        String guess = meant == null ? "" : ", did you mean " + option + meant + "?";
        assertEquals(List.of(what + ": " + option + name + guess), find(name));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "buffers.policy",
                "buffers.web.policy",
                "buffers.api.policy",
                "buffers.web2.policy",
                "buffers.web-heap.max",
                "buffers.other.policy",
                "buffers.wbe.colour",
                "buffer.colour",
                "buffer.shop.policy",
                "policy",
                "buffers.spring.enabled",
                "java.policy",
                "dev.buffers.shop.policy",
                "jetty.max",
                "buffers..max",
                "BUFFERS_POLICY",
                "BUFFERS_WEB_MAX_SIZE",
                "BUFFERS_WEB_MAXSIZE",
                "BUFFERS_API_MAX",
                "BUFFERS_OTHER_MAX",
                "BUFFERS_WEB2_MAX",
                "BUFFERS_SPRING_ENABLED",
                "BUFFERS_SERVER_MAX_REQUESTS",
                "BUFFERS_SERVER_MAXREQUESTS",
                "BUFFER_COLOUR",
                "BUFFERING_MAX",
                "PATH"
            })
    void nameThatIsReadOrForeignIsNotFound(String name) {
        assertEquals(List.of(), find(name));
    }

    @Test
    void propertyOfOpenPoolIsNotFound() {
        Map<String, String> ofBoth = Map.of("buffers.web.policy", NOT_OURS, "buffers.WEB.policy", NOT_OURS);
        assertEquals(Map.of(), new NearMisses("web", Set.of("WEB"), ofBoth, Map.of()).found);
    }

    @Test
    void eachFindingIsLoggedOnceForAllPools() {
        System.setProperty("buffer.zero", NOT_OURS);
        System.setProperty("buffers.naer.zero", NOT_OURS);
        try (Logged log = new Logged("near")) {
            for (int i = 0; i < 3; i++) {
                BufferPool.builder("near").max(1 << 20).build().close();
            }
            assertEquals(
                    List.of(
                            "system property for an unknown pool: -Dbuffers.naer.zero, did you mean"
                                    + " -Dbuffers.near.zero? (found when a pool was made: pool=near)",
                            "unknown system property: -Dbuffer.zero, did you mean -Dbuffers.zero?"
                                    + " (found when a pool was made: pool=near)"),
                    log.lines("zero").stream().sorted().toList());
            assertTrue(log.records().stream().allMatch(record -> record.getLevel() == Level.WARNING));
        } finally {
            System.clearProperty("buffer.zero");
            System.clearProperty("buffers.naer.zero");
        }
    }

    static final class InAnEnvironment {
        public static void main(String[] args) {
            try (BufferPool pool = BufferPool.create("web")) {
                System.out.println(pool.settings());
            }
        }
    }

    @Test
    void theEnvironmentOfTheProcessIsRead() throws Exception {
        String said = Jvm.runIn(
                Map.of(
                        "BUFFERS_POLICY", "direct",
                        "BUFFERS_WEB_POLICY", "heap",
                        "BUFFERS_ZERO", "release",
                        "BUFFERS_SERVICE_HOST", NOT_OURS),
                InAnEnvironment.class,
                "-Dbuffers.zero=acquire");
        for (String line : List.of(
                "policy=heap (environment BUFFERS_WEB_POLICY)\n",
                "zero=acquire (-Dbuffers.zero)\n",
                "unknown environment variable: BUFFERS_SERVICE_HOST (found when a pool was made: pool=web)\n")) {
            assertTrue(said.contains(line), said);
        }
        assertFalse(said.contains(NOT_OURS), said);
    }
}
