// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The program as a user meets it: what it says, what it refuses, and what an interruption leaves behind. */
class CommandsTest {

    /** What a command printed, both streams, and the status that it ended with. */
    private record Said(int status, String text) {}

    @Test
    void helpNamesEveryCommand() {
        Said said = run("--help");
        assertEquals(0, said.status);
        for (String command : List.of("show", "advise", "claims", "pools", "compare", "serve")) {
            assertTrue(said.text.contains("\n  " + command + " "), said.text);
        }
    }

    @Test
    void claimsAreListed() {
        Said said = run("claims", "--list", "b", "D2");
        assertEquals(0, said.status);
        assertEquals(
                List.of("B1", "B2", "D2"),
                said.text.lines().map(line -> line.substring(0, 2)).toList());
    }

    @Test
    void unknownClaimIsRefusedWithListOfClaims() {
        Said said = run("claims", "Z9");
        assertEquals(2, said.status);
        assertTrue(said.text.contains("no such claim: Z9; there are A1, A2, "), said.text);
    }

    @Test
    void numberNamesAllItsClaims() {
        Said said = run("claims", "--list", "f6");
        assertEquals(0, said.status);
        assertEquals(
                List.of("F6 ", "F6 targets "),
                said.text.lines().map(line -> line.replaceAll(" +\\d.*", " ")).toList());
        assertEquals(1, run("claims", "--list", "F5 scraped").text.lines().count());
        assertEquals(1, run("pools", "--list", "live").text.lines().count());
    }

    @Test
    void formerNamesOfCommandsStillWork() {
        assertEquals(run("pools", "--list", "live").text, run("lanes", "--list", "lane live").text);
        assertTrue(run("serve", "--lane=none").text.contains("'--source'"));
        assertEquals(2, run("duet", "nothing").status);
        assertTrue(run("duet", "nothing").text.contains("no such workload: nothing"));
    }

    @Test
    void formerNameAsArgumentIsKept() {
        String said = run("serve", "--root", "lanes").text;
        assertTrue(said.contains("lanes") && !said.contains("pools"), said);
        assertTrue(run("compare", "duet").text.contains("no such workload: duet"));
        assertTrue(run("pools", "--plan", "--only", "--lane").text.contains("--lane"));
    }

    @Test
    void wrongNameIsAnsweredByNamesAndNoPageOfHelp() {
        for (String[] wrong : new String[][] {
            {"compare", "mixxed"}, {"compare", "mixed:contender=netty"}, {"compare", "--pears=5"}, {"claims", "Z9"}
        }) {
            Said said = run(wrong);
            assertEquals(2, said.status);
            assertEquals(2, said.text.lines().count(), said.text);
            assertTrue(said.text.endsWith("\nTry: bench " + wrong[0] + " --help\n"), said.text);
        }
    }

    @Test
    void onlyOneDepthAtATime() {
        assertEquals(2, run("claims", "--quick", "--full").status);
    }

    @Test
    void planListsTrialsToRun() {
        Said usual = run("claims", "B1", "--plan");
        assertEquals(0, usual.status);
        assertTrue(usual.text.startsWith("plan: 1 trials in 1 comparisons"), usual.text);
        assertTrue(usual.text.contains("\n  B1 TransferBenchmark.transfer "), usual.text);
        assertTrue(trials(run("claims", "B1", "--all", "--plan")) > trials(usual));
        assertTrue(trials(run("pools", "--rivals", "--plan")) > trials(run("pools", "--plan")));
    }

    @Test
    void onlyNamedComparisonsArePlanned() {
        Said some = run("claims", "F8", "--all", "--plan", "--only", "tomcat with TLS, sse", "--only", "jetty, keep");
        assertEquals(0, some.status);
        assertTrue(some.text.startsWith("plan: 4 trials in 2 comparisons"), some.text);
        Said none = run("claims", "F8", "--plan", "--only", "netty");
        assertEquals(2, none.status);
        assertTrue(none.text.contains("no such comparison: --only=netty"), none.text);
    }

    @Test
    void namedWaitsArePlannedAndMissingOnesNamed() {
        Said some =
                run("claims", "F8", "--plan", "--ways=sse,websocket-deflate", "--servers=tomcat,grizzly", "--plain");
        assertEquals(0, some.status, some.text);
        assertTrue(some.text.startsWith("plan: 6 trials in 3 comparisons"), some.text);
        assertTrue(
                some.text.contains("\n  not available: grizzly, websocket-deflate: Grizzly's WebSockets"), some.text);
        assertEquals(
                12, trials(run("claims", "F8", "--plan", "--ways=sse,websocket-deflate", "--servers=tomcat,grizzly")));
    }

    @Test
    void wrongWaitsAreRefusedWithAcceptedValues() {
        Map<String, String> wrong = Map.of(
                "--ways=sse,idle", "--ways=idle; accepted: keep-alive, websocket, websocket-deflate, sse, ",
                "--connector=a=b", "--connector: only with --servers=tomcat\n",
                "--servers=netty", "--servers=netty; accepted: tomcat, jetty, undertow, grizzly, nio\n",
                "--connections=-1", "--connections=-1; accepted: 1 to 100000\n",
                "--connections=0", "--connections=0; accepted: 1 to 100000\n",
                "--runs=25", "--runs=25; accepted: 1 to 24\n",
                "--servers=nio --ways=sse", "nio, sse: this server only sends files",
                "--secure --plain", "--secure, --plain: only one of them\n");
        wrong.forEach((option, problem) -> {
            Said said = run(("claims F8 --plan " + option).split(" "));
            assertEquals(2, said.status, said.text);
            assertTrue(said.text.contains(problem), said.text);
        });
        Said other = run("claims", "F7", "--plan", "--ways=sse");
        assertEquals(2, other.status, other.text);
        assertTrue(other.text.contains("only with the claim F8 alone"), other.text);
    }

    @Test
    void wrongSoakIsRefusedWithAcceptedValues() {
        Map<String, String> wrong = Map.of(
                "--server=nio", "--server=nio; accepted: tomcat, jetty, undertow, grizzly\n",
                "--minutes=0", "--minutes=0; accepted: 1 to 10080\n",
                "--connections=3", "--connections=3; accepted: 4 to 10000\n",
                "--pid=1", "--pid=1, --port=0; accepted: both, with a port of 1 to 65535, or none of them\n",
                "--port=70000", "--pid=null, --port=70000; accepted: both,",
                "--pid=-1 --port=80", "--pid=-1; accepted: a JVM of the same user: ");
        wrong.forEach((option, problem) -> {
            Said said = run(("soak " + option).split(" "));
            assertEquals(2, said.status, said.text);
            assertTrue(said.text.contains(problem), said.text);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"--server=tomcat", "--server=tomcat --own", "--server=jetty --plain", "--server=undertow"})
    @Tag("full")
    void serverIsSoaked(String options, @TempDir Path folder) throws IOException {
        Said said = run(("soak --quick --connections=40 --report=" + folder + " " + options).split(" "));
        assertEquals(0, said.status, said.text);
        assertTrue(said.text.contains("left: leased=0, lost=0, "), said.text);
        String report = Files.readString(folder.resolve("soak.json"));
        assertTrue(report.contains("\"exchanges\" : "), report);
    }

    @Test
    @Tag("full")
    void waitingConnectionsAreMeasured(@TempDir Path folder) throws IOException {
        Said said = run("claims", "F8", "--quick", "--ways=keep-alive", "--servers=nio", "--report=" + folder);
        assertEquals(0, said.status, said.text);
        assertTrue(said.text.contains("KB a connection"), said.text);
        String results = Files.readString(folder.resolve("results.json")).replaceAll("\\s", "");
        assertTrue(
                results.contains("\"cell\":\"nio,keep-alive\",\"side\":\"nio,pool\",\"figure\":\"heap\",\"runs\":1"),
                results);
    }

    /** A report that is made again has all comparisons of the journal, whatever such an option asks for. */
    @Test
    void optionsOfMeasurementAreRefusedBesideJournal() {
        for (String option : List.of("--only=A", "--minutes=1", "--resume", "--plan", "--list", "--all", "--quick")) {
            Said claims = run("claims", "B1", "--from=none.jsonl", "--busy", option);
            assertEquals(2, claims.status, claims.text);
            String name = option.replaceFirst("=.*", "");
            assertTrue(claims.text.contains(name + " with --from: the journal has the workloads"), claims.text);
            assertTrue(claims.text.contains("; accepted: ID, --busy, --json, --report\n"), claims.text);
        }
        Said pools = run("pools", "--from=none.jsonl", "--rivals", "--only=mixed", "--only=burst", "--full");
        assertEquals(2, pools.status, pools.text);
        assertTrue(pools.text.contains("--only, --full with --from: "), pools.text);
        assertTrue(pools.text.contains("; accepted: ID, --busy, --json, --report, --rivals\n"), pools.text);
        assertEquals(1, run("pools", "live", "--from=none.jsonl", "--rivals").status);
    }

    @Test
    void theVersionIsPrinted() {
        for (String[] version : new String[][] {{"--version"}, {"show", "--version"}, {"claims", "--version"}}) {
            Said said = run(version);
            assertEquals(0, said.status);
            assertTrue(said.text.startsWith("buffers-bench "), said.text);
        }
    }

    @Test
    void wrongOptionsOfShowAndAdviseAreRefusedBeforeAnyTimeIsSpent(@TempDir Path folder) {
        assertEquals(2, run("show", "--seconds=0").status);
        assertEquals(2, run("show", "--rounds=none").status);
        assertEquals(2, run("advise", "--force").status);
        assertEquals(2, run("advise", "--write", folder.toString()).status);
        assertTrue(run("show", "--quick", "--metrics=65534").text.contains("neither a port"));
        System.setProperty("show.seconds", "many");
        try {
            assertTrue(run("show").text.contains("many"));
        } finally {
            System.clearProperty("show.seconds");
        }
    }

    @Test
    @Tag("full")
    void aSmokeRunAdvisesAndWritesNothing(@TempDir Path folder) {
        Path file = folder.resolve("buffers.properties");
        Said said = run("advise", "--quick", "--write", file.toString(), "--report", folder.toString());
        assertEquals(0, said.status, said.text);
        assertTrue(said.text.contains("Nothing written: a smoke run"), said.text);
        assertFalse(Files.exists(file));
        assertTrue(said.text.contains("file-transfer"), said.text);
    }

    @Test
    @Tag("full")
    void aSmokeRunOfShowSaysWhichPolicy(@TempDir Path folder) {
        System.setProperty("show.quick", "true");
        System.setProperty("show.report", folder.toString());
        System.setProperty("show.metrics", "");
        try {
            Said said = run("show");
            assertEquals(0, said.status, said.text);
            assertTrue(said.text.contains("A smoke run, too short for its figures to mean anything."), said.text);
            assertTrue(said.text.contains("no pool"), said.text);
            assertFalse(said.text.contains("Keep the default"), said.text);
            assertTrue(Files.exists(folder.resolve("report.html")));
        } finally {
            List.of("quick", "report", "metrics").forEach(key -> System.clearProperty("show." + key));
        }
    }

    @Test
    void metricsAreExplained() {
        for (String command : List.of("serve", "show")) {
            String help = run(command, "--help").text.replaceAll("\\s+", " ");
            assertTrue(help.contains("--metrics[=PORT]"), help);
            assertTrue(help.contains("Prometheus") && help.contains("/metrics"), help);
            assertTrue(help.contains("0, or no PORT, is any free one"), help);
        }
    }

    @Test
    void invalidPortIsRefusedWithAcceptedValues(@TempDir Path folder) {
        for (String port : List.of("70000", "-1", "http")) {
            Said serve = run("serve", "--root", folder.toString(), "--metrics=" + port);
            assertEquals(2, serve.status);
            assertTrue(serve.text.contains("'--metrics'"), serve.text);
            assertTrue(serve.text.contains("neither a port (1 to 65535) nor 0"), serve.text);
            assertTrue(serve.text.contains("metrics=" + port), serve.text);
            assertEquals(2, run("show", "--metrics=" + port).status);
        }
    }

    @Test
    void aTakenPortEndsServe(@TempDir Path folder) throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = taken.getLocalPort();
            Said said = run("serve", "--root", folder.toString(), "--metrics=" + port);
            assertEquals(1, said.status);
            assertTrue(said.text.startsWith("failed: "), said.text);
            assertTrue(said.text.contains("--metrics=" + port + ": Address already in use"), said.text);
            assertFalse(said.text.contains("ready:"), said.text);
        }
    }

    private static int trials(Said plan) {
        assertEquals(0, plan.status);
        String after = plan.text.substring(plan.text.indexOf(": ") + 2);
        return Integer.parseInt(after.substring(0, after.indexOf(' ')));
    }

    /** As Ctrl-C does, TERM ends the run and leaves a report, which can be made again from the journal. */
    @Test
    @Tag("full")
    void anInterruptionLeavesAReport(@TempDir Path folder) throws IOException, InterruptedException {
        Process program = start("claims", "F3", "A2", "--busy", "--report", folder.toString());
        StringBuilder said = new StringBuilder();
        try (BufferedReader out = program.inputReader(UTF_8)) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                said.append(line).append('\n');
                if (line.contains(": base ") || line.contains(" µs") || line.contains(" ns") || line.contains(" KB")) {
                    program.toHandle().destroy();
                }
            }
            program.waitFor();
        } finally {
            program.destroyForcibly();
        }
        String text = said.toString();
        assertTrue(text.contains("Ended early: this is the result so far"), text);
        assertFalse(text.contains("failed"), text);
        for (String file : List.of("report.html", "report.md", "results.json", "journal.jsonl")) {
            assertTrue(Files.size(folder.resolve(file)) > 0, file);
        }
        String journal = folder.resolve("journal.jsonl").toString();
        Said again = run("claims", "F3", "A2", "--from", journal, "--report", folder.toString());
        String lines = text.substring(text.indexOf('\n', text.indexOf("Ended early")) + 1);
        assertEquals(lines, again.text);
        String its = "\"feature\":" + Runtime.version().feature();
        Files.writeString(Path.of(journal), Files.readString(Path.of(journal)).replace(its, "\"feature\":11"));
        Said other = run("claims", "F3", "A2", "--from", journal, "--report", folder.toString());
        assertEquals(2, other.status, other.text);
        assertTrue(other.text.contains("measured on Java 11, so its report is made on Java 11"), other.text);
    }

    private static Process start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Djmh.ignoreLock=true",
                "-cp",
                System.getProperty("java.class.path"),
                Bench.class.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    private static Said run(String... arguments) {
        PrintStream out = System.out;
        PrintStream err = System.err;
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        PrintStream both = new PrintStream(said, true, UTF_8);
        System.setOut(both);
        System.setErr(both);
        try {
            int status = Bench.run(arguments);
            return new Said(status, said.toString(UTF_8));
        } finally {
            System.setOut(out);
            System.setErr(err);
        }
    }
}
