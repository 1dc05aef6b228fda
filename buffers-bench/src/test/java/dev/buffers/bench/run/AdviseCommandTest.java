// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.run;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.bench.harness.Comparison;
import dev.buffers.bench.harness.FakeContestant;
import dev.buffers.bench.harness.Journal;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The file of settings: which run writes it, and which leaves it as it is. */
class AdviseCommandTest {
    private static final String BEFORE = "buffers.policy=heap";
    private static final String QUIET = "\"load\":{\"others\":0,\"steal\":0,\"load\":1,\"busiest\":{}}";

    @TempDir
    private Path folder;

    private Path settings;
    private int status;
    private String said = "";

    @BeforeEach
    void writeSettings() throws Exception {
        settings = folder.resolve("buffers.properties");
        Files.writeString(settings, BEFORE);
    }

    @Test
    void enoughPairsOnQuietMachineReplaceSettings() throws Exception {
        tell(5, "");
        assertEquals(0, status);
        assertTrue(Files.readString(settings).endsWith("\nbuffers.policy=direct\n"), said);
    }

    @Test
    void failedMeasurementLeavesSettingsUnchanged() throws Exception {
        tell(0, "uses: the JVM did not start");
        assertEquals(1, status);
        assertEquals(BEFORE, Files.readString(settings));
        assertTrue(said.contains("Nothing written: the measurement failed"), said);
        tell(5, "uses: the JVM ended");
        assertEquals(1, status);
        assertEquals(BEFORE, Files.readString(settings));
    }

    @Test
    void tooFewPairsLeaveSettingsUnchanged() throws Exception {
        for (int pairs : new int[] {0, 4}) {
            tell(pairs, "");
            assertEquals(BEFORE, Files.readString(settings));
            assertTrue(said.contains("Nothing written: only " + pairs + " of at least 5 pairs"), said);
        }
    }

    /** Ends a run of so many pairs in which the policy direct is best. */
    private void tell(int pairs, String failure) throws Exception {
        Path file = folder.resolve("journal.jsonl");
        Comparison comparison = AdviseCommand.comparison();
        FakeContestant.journal(file, List.of(comparison), side -> side.equals("direct") ? 0.8 : 1, 0.005, pairs);
        Files.writeString(file, Files.readString(file).replace("\"load\":null", QUIET));
        if (!failure.isEmpty()) {
            String line = "{\"failure\":\"" + failure + "\"}\n";
            Files.writeString(file, line, StandardOpenOption.APPEND);
        }
        AdviseCommand command = new AdviseCommand();
        new CommandLine(command)
                .setOut(new PrintWriter(Writer.nullWriter()))
                .parseArgs("--write", settings.toString(), "--force", "--report", folder.toString());
        PrintStream err = System.err;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        System.setErr(new PrintStream(bytes, true, UTF_8));
        try (Journal journal = Journal.read(file)) {
            status = command.tell(comparison, journal, false);
        } finally {
            System.setErr(err);
        }
        said = bytes.toString(UTF_8);
    }
}
