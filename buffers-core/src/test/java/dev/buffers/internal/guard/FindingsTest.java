// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.guard;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.support.Logged;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FindingsTest {
    private final Logged log = new Logged("guard-parts");
    private final GuardParts parts = new GuardParts("heap-view", 1 << 20);
    private final Findings findings = parts.findings;
    private final Tenancy tenancy = parts.tenancy(128);

    @AfterEach
    void closeLog() {
        log.close();
    }

    @Test
    void findingHasOneFrameALineAndNothingForAMissingStack() {
        StackTraceElement user = new StackTraceElement("org.example.Server", "method", "Server.java", 7);
        tenancy.trace.acquired.setStackTrace(new StackTraceElement[] {user});
        findings.report(Findings.Kind.OVERRUN, tenancy, null);
        String line = log.lines("past its end").get(0);
        String acquired = "acquired here, by thread " + Thread.currentThread().getName();
        assertTrue(line.endsWith(acquired + "\n\tat org.example.Server.method(Server.java:7)\n\n"), line);
    }

    @Test
    void hundredFindingsAMinuteAreLogged() {
        for (int i = 0; i < 250; i++) {
            findings.report(Findings.Kind.OVERRUN, tenancy, null);
        }
        int logged = log.records().size();
        assertTrue(logged == 100 || logged == 200, "lines, a new minute may have begun: " + logged);
    }
}
