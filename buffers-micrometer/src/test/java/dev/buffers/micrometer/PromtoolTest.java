package dev.buffers.micrometer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The alert rules, by Prometheus' own judge; the profile {@code external} runs this. */
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

    private static void promtool(String... arguments) throws Exception {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("docs"))) {
            folder = folder.getParent();
        }
        String[] command = new String[arguments.length + 1];
        command[0] = "promtool";
        System.arraycopy(arguments, 0, command, 1, arguments.length);
        Process process;
        try {
            process = new ProcessBuilder(command)
                    .directory(folder.resolve("docs/alerts").toFile())
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
