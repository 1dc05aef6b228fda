// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.micrometer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The alert rules and the dashboard's queries, by Prometheus' own judge; the profile {@code external} runs this. */
@Tag("external")
class PromtoolTest {

    @Test
    void theRulesAreWellFormed() throws Exception {
        promtool("check", "rules", "buffers.rules.yml");
    }

    /** Each fires when it should, and none does for a healthy pool. */
    @Test
    void theRulesFireWhenTheyShould() throws Exception {
        promtool("test", "rules", "buffers.test.yml");
    }

    /** Prometheus takes a query as a rule that records it. */
    @Test
    void theDashboardsQueriesAreWellFormed(@TempDir Path folder) throws Exception {
        StringBuilder rules = new StringBuilder("groups:\n- name: dashboard\n  rules:\n");
        for (String query : DashboardTest.queries(DashboardTest.load())) {
            rules.append("  - {record: \"asked:").append(rules.length()).append("\", expr: '");
            rules.append(query.replace("'", "''")).append("'}\n");
        }
        promtool(
                "check",
                "rules",
                Files.writeString(folder.resolve("queries.yml"), rules).toString());
    }

    private static void promtool(String... arguments) throws Exception {
        String[] command = new String[arguments.length + 1];
        command[0] = "promtool";
        System.arraycopy(arguments, 0, command, 1, arguments.length);
        Process process;
        try {
            process = new ProcessBuilder(command)
                    .directory(MonitoringTest.file("alerts").toFile())
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException e) {
            fail("promtool is not installed; it is in Debian's package prometheus", e);
            return;
        }
        String said = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertEquals(0, process.waitFor(), said);
    }
}
