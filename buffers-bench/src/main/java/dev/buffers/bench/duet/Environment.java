package dev.buffers.bench.duet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The machine and the programs that the figures come from.
 *
 * @param flags of the JVMs that were measured
 */
public record Environment(String when, String java, String system, String processor, int cores, List<String> flags) {
    private static final Pattern FEATURE = Pattern.compile(" (\\d+)[.+-][^ ]*,");

    public static Environment here(List<String> flags) {
        return new Environment(
                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
                property("java.vm.name") + " " + property("java.vm.version") + ", " + property("java.vm.vendor"),
                property("os.name") + " " + property("os.version") + " " + property("os.arch"),
                processorName(),
                Runtime.getRuntime().availableProcessors(),
                flags);
    }

    /** The Java version that measured, as 17; 0 if the JVM does not name it. */
    public int feature() {
        Matcher version = FEATURE.matcher(java);
        return version.find() ? Integer.parseInt(version.group(1)) : 0;
    }

    private static String property(String key) {
        return System.getProperty(key, "?");
    }

    private static String processorName() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse("?");
        } catch (IOException e) {
            return "?";
        }
    }
}
