package dev.buffers.bench.advise;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.buffers.BufferPool;
import dev.buffers.bench.claims.Family;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The options, what goes where, and that the library takes the file; with made-up uses. */
class AdviseCommandTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final StringWriter complaint = new StringWriter();

    @TempDir
    private Path folder;

    private int run(String... arguments) {
        return run(
                MadeUpUse.family(
                        MadeUpUse.clear("codec", Map.of("heap", 1.3)), MadeUpUse.clear("socket", Map.of("heap", 0.8))),
                arguments);
    }

    private int run(Family uses, String... arguments) {
        AdviseCommand command =
                new AdviseCommand(quick -> uses, new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8));
        return new CommandLine(command)
                .setErr(new PrintWriter(complaint, true))
                .setOut(new PrintWriter(complaint, true))
                .execute(arguments);
    }

    @Test
    void tellsEachUseAndWhatFollows() {
        assertEquals(0, run());

        String told = out.toString(UTF_8);
        assertTrue(told.contains("codec: made up"), told);
        assertTrue(told.contains("-Dbuffers.codec.policy=heap, 1.30 times better than the default (1."), told);
        assertTrue(told.contains("-Dbuffers.socket.policy=direct-view, the default: no other is better; worse: heap."));
        assertTrue(told.contains("A pool for each of these: BufferPool.create(\"codec\")"), told);
        assertFalse(told.contains("smoke run"), told);
        assertFalse(told.contains(" left]"), told);
        assertTrue(err.toString(UTF_8).contains("[50/50]"), err.toString(UTF_8));
        assertTrue(err.toString(UTF_8).contains(" left]"), err.toString(UTF_8));
    }

    @Test
    void aSmokeRunSaysSoAndAdvisesNothing() {
        assertEquals(0, run("--quick"));

        String told = out.toString(UTF_8);
        assertTrue(told.contains("This was a smoke run, too short for its figures to mean anything."), told);
        assertTrue(told.contains("too few rounds to tell"), told);
        assertTrue(told.contains("-Dbuffers.policy=direct-view, the default"), told);
    }

    @Test
    void jsonIsAllThatGoesToTheOutput() throws IOException {
        assertEquals(0, run("--json"));

        JsonNode told = new ObjectMapper().readTree(out.toByteArray());
        assertTrue(told.get("complete").asBoolean());
        assertFalse(told.get("quick").asBoolean());
        JsonNode advice = told.get("advice");
        assertTrue(advice.get("policyForAll").isNull());
        assertEquals("heap", advice.get("settings").get("buffers.codec.policy").asText());
        JsonNode codec = advice.get("uses").get(0);
        assertEquals("codec", codec.get("use").asText());
        assertEquals("heap", codec.get("policy").asText());
        JsonNode heap = codec.get("standings").get(3);
        assertEquals("HOLDS", heap.get("verdict").asText());
        assertEquals(5, heap.get("forks").size());
        assertEquals(1.3, heap.get("ratio").get("estimate").asDouble(), 0.02);
        assertTrue(err.toString(UTF_8).contains(" left]"));
    }

    @Test
    void theLibraryTakesWhatIsWritten() throws IOException {
        assertEquals(0, run("--write", file().toString()));

        assertTrue(err.toString(UTF_8).contains("Written: "));
        assertEquals("heap", policyOf("codec"));
        assertEquals("direct-view", policyOf("socket"));
    }

    /** Of a pool that finds the file on the class path. */
    private String policyOf(String pool) throws IOException {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader withFile =
                new URLClassLoader(new URL[] {folder.toUri().toURL()}, before)) {
            thread.setContextClassLoader(withFile);
            try (BufferPool made = BufferPool.create(pool)) {
                assertTrue(made.settings().toString().contains("buffers.properties"));
                return made.settings().policy().name();
            }
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @Test
    void aPolicyForAllIsForEveryPool() throws IOException {
        Family uses = MadeUpUse.family(MadeUpUse.clear("codec", Map.of("heap-view", 1.3)));
        assertEquals(0, run(uses, "--write", file().toString()));

        assertEquals("heap-view", policyOf("codec"));
        assertEquals("heap-view", policyOf("of-another-name"));
    }

    @Test
    void whatIsThereIsOverwrittenOnlyByForce() throws IOException {
        Files.writeString(file(), "# mine\n");

        assertEquals(2, run("--write", file().toString()));
        assertEquals("# mine\n", Files.readString(file()));
        assertTrue(complaint.toString().contains("no --force"), complaint.toString());
        assertEquals("", err.toString(UTF_8), "nothing was measured");

        assertEquals(0, run("--write", file().toString(), "--force"));
        assertTrue(Files.readString(file()).contains("buffers.codec.policy=heap"));
    }

    @Test
    void aFileOfASmokeRunSaysSo() throws IOException {
        assertEquals(0, run("--quick", "--write", file().toString()));
        assertTrue(Files.readString(file()).contains("# This was a smoke run"));
    }

    @Test
    void aNameThatTheLibraryDoesNotReadIsRemarkedOn() {
        assertEquals(0, run("--write", folder.resolve("other.properties").toString()));
        assertTrue(err.toString(UTF_8).contains("only if it is called buffers.properties"));
    }

    @Test
    void wrongOptionsAreRefused() {
        assertEquals(2, run("--no-such-option"));
        assertEquals(2, run("--force"));
        assertEquals(2, run("--write", folder.toString()));
        assertEquals(2, run("--write", folder.resolve("none").resolve("x").toString()));
    }

    @Test
    void whenNothingCanBeMeasuredItFails() {
        Map<String, Double> allFail = Map.of(
                "direct-view", MadeUpUse.FAILS,
                "direct", MadeUpUse.FAILS,
                "heap-view", MadeUpUse.FAILS,
                "heap", MadeUpUse.FAILS,
                "unpooled", MadeUpUse.FAILS);
        assertEquals(1, run(MadeUpUse.family(MadeUpUse.clear("codec", allFail))));
    }

    @Test
    void whatFailedIsToldAsSuch() {
        Family uses = MadeUpUse.family(MadeUpUse.clear("codec", Map.of("heap", MadeUpUse.FAILS)));
        assertEquals(0, run(uses));

        assertTrue(out.toString(UTF_8).contains("not measured"));
        assertTrue(out.toString(UTF_8).contains("Not all of it was measured"));
    }

    private Path file() {
        return folder.resolve("buffers.properties");
    }
}
