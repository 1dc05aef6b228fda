package dev.buffers.bench.advise;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What is known is told when the program is ended before its time, as by Ctrl-C, and then nothing is written. */
class InterruptionTest {
    private static final int MILLIS_EACH = 50;

    /** The program, with a use that takes its time. */
    public static void main(String[] arguments) {
        MadeUpUse use = MadeUpUse.clear("codec", Map.of()).taking(MILLIS_EACH);
        AdviseCommand command = new AdviseCommand(quick -> MadeUpUse.family(use), System.out, System.err);
        System.exit(new CommandLine(command).execute(arguments));
    }

    @Test
    @Timeout(30)
    void tellsWhatIsKnownSoFar(@TempDir Path folder) throws IOException, InterruptedException {
        Path file = folder.resolve("buffers.properties");
        Process program = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        InterruptionTest.class.getName(),
                        "--write",
                        file.toString()))
                .start();
        try (BufferedReader progress = new BufferedReader(new InputStreamReader(program.getErrorStream(), UTF_8))) {
            while (!progress.readLine().contains("[7/25]")) {
                assertTrue(program.isAlive());
            }
            program.toHandle().destroy(); // unlike its own, this leaves the streams open
            String told = new String(program.getInputStream().readAllBytes(), UTF_8);

            assertTrue(told.contains("codec: made up"), told);
            assertTrue(told.contains("this is what is known so far"), told);
            assertFalse(Files.exists(file));
        } finally {
            program.destroyForcibly().waitFor();
        }
    }
}
