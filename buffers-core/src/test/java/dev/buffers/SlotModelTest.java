package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.support.Manual;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Spin searches every state of {@code src/test/spin/slot.pml} in each of its configurations, and finds each planted fault. The
 * profile {@code spin} runs this; it needs the Debian packages {@code spin} and {@code gcc}. What Spin says of each search is kept in
 * {@code target/spin}.
 */
@Tag("spin")
class SlotModelTest {
    private static final Path MODEL = Manual.ROOT.resolve("buffers-core/src/test/spin/slot.pml");
    private static final Path KEPT = Manual.ROOT.resolve("buffers-core/target/spin");
    private static final Pattern FAULT = Pattern.compile("FAULT_[A-Z_]+");
    private static final int MEGABYTES = 8000;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"PASS", "REGION", "STALE", "FURTHER", "RETIRED", "LOST", "STACK"})
    void noStateIsWrong(String configuration) throws Exception {
        String said = search(configuration);
        assertTrue(said.contains("errors: 0\n"), said);
        assertTrue(said.contains("Full statespace search for:"), said);
        assertFalse(said.contains("max search depth too small"), said);
        assertFalse(said.contains("Search not completed"), said);
    }

    @ParameterizedTest
    @CsvSource({
        "PASS,    FAULT_NO_WAIT",
        "PASS,    FAULT_CLOCK_FIRST",
        "PASS,    FAULT_NO_SECOND_LOOK",
        "LOST,    FAULT_NO_SECOND_LOOK",
        "STALE,   FAULT_GENERATION",
        "PASS,    FAULT_GENERATION",
        "PASS,    FAULT_LEFT_ALONE",
        "PASS,    FAULT_PLAIN_SWAP",
        "PASS,    FAULT_VIEW_BEFORE_STATE",
        "PASS,    FAULT_VIEW_LAST",
        "STALE,   FAULT_VIEW_FIRST",
        "PASS,    FAULT_VIEW_FIRST",
        "REGION,  FAULT_GONE_REGION",
        "FURTHER, FAULT_FURTHER_TWICE",
        "FURTHER, FAULT_FURTHER_UNCHECKED",
        "RETIRED, FAULT_RETIRED_VIEW",
        "RETIRED, FAULT_RETIRED_FORGETS_FIRST",
        "LOST,    FAULT_RETIRED_UNREACHABLE",
        "LOST,    FAULT_RECALLED_UNREACHABLE",
        "LOST,    FAULT_FREE_IS_NOT_LOST",
        "LOST,    FAULT_LET_GO_AT_ONCE",
        "STACK,   FAULT_STACK_PUSHED_PLAINLY",
        "STACK,   FAULT_STACK_CLOSED_PLAINLY",
        "STACK,   FAULT_STACK_OPENED_TWICE"
    })
    void eachPlantedFaultIsFound(String configuration, String fault) throws Exception {
        String said = search(configuration, fault);
        assertTrue(said.contains("errors: 1\n"), said);
        assertTrue(said.contains("assertion violated"), said);
        assertFalse(
                said.contains("assertion violated (buffer[me].n<"), "a fault must not end at the model's own bounds");
    }

    /** Every fault that the model can plant stands above. */
    @Test
    void eachFaultIsPlanted() throws Exception {
        CsvSource listed = SlotModelTest.class
                .getDeclaredMethod("eachPlantedFaultIsFound", String.class, String.class)
                .getAnnotation(CsvSource.class);
        Set<String> planted = Stream.of(listed.value())
                .map(line -> line.replaceFirst(".*, *", ""))
                .collect(Collectors.toSet());
        Set<String> known = new TreeSet<>();
        Matcher fault = FAULT.matcher(Manual.read(MODEL));
        while (fault.find()) {
            known.add(fault.group());
        }
        assertEquals(known, new TreeSet<>(planted));
    }

    /** What the exhaustive search says in the end. */
    private String search(String... macros) throws Exception {
        List<String> spin = new ArrayList<>(List.of("spin", "-a"));
        Stream.of(macros).map(macro -> "-D" + macro).forEach(spin::add);
        spin.add(MODEL.toString());
        assertEquals(0, run("model", spin), () -> said("model"));
        List<String> gcc =
                List.of("gcc", "-O2", "-DSAFETY", "-DCOLLAPSE", "-DMEMLIM=" + MEGABYTES, "-o", "pan", "pan.c");
        assertEquals(0, run("compiler", gcc), () -> said("compiler"));
        run("search", List.of(folder.resolve("pan").toString(), "-m100000", "-w24", "-n"));
        Files.createDirectories(KEPT);
        Files.writeString(KEPT.resolve(String.join("-", macros) + ".txt"), said("search"));
        return said("search");
    }

    private int run(String name, List<String> command) throws IOException, InterruptedException {
        File output = folder.resolve(name).toFile();
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output)
                .start();
        try {
            return process.waitFor();
        } finally {
            process.destroyForcibly();
        }
    }

    private String said(String name) {
        try {
            return Manual.read(folder.resolve(name));
        } catch (IOException e) {
            throw new IllegalStateException("said nothing: name=" + name, e);
        }
    }
}
