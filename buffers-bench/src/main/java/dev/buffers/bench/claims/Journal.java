package dev.buffers.bench.claims;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.buffers.bench.figures.Environment;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a campaign has measured, on disk, a line for each fork as soon as it is known: what was paid for is kept whatever happens, and
 * a campaign can be taken up again where it ended. Its first line says on what machine and Java; figures of another are refused.
 */
public final class Journal {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final @Nullable Path file;
    private final List<Entry> entries;

    /**
     * One fork of a point.
     *
     * @param figures what was measured; null when it failed
     * @param failure why it failed; null when it did not
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Entry(
            Point point,
            int round,
            @Nullable Map<String, Double> figures,
            @Nullable String failure) {}

    private Journal(@Nullable Path file, List<Entry> entries) {
        this.file = file;
        this.entries = entries;
    }

    /** A journal that is nowhere. */
    public static Journal none() {
        return new Journal(null, new ArrayList<>());
    }

    /** Begins a new journal in place of any that is there. */
    public static Journal begin(Path file, Environment here) throws IOException {
        Files.createDirectories(Objects.requireNonNull(file.toAbsolutePath().getParent()));
        Files.writeString(file, JSON.writeValueAsString(here) + "\n");
        return new Journal(file, new ArrayList<>());
    }

    /** Takes up the journal that is there, or begins one when there is none. A last line that was cut off is dropped. */
    public static Journal resume(Path file, Environment here) throws IOException {
        if (!Files.exists(file)) {
            return begin(file, here);
        }
        List<String> lines = Files.readAllLines(file);
        if (lines.isEmpty()) {
            return begin(file, here);
        }
        Environment there = JSON.readValue(lines.get(0), Environment.class);
        if (!comparable(there, here)) {
            throw new IOException("cannot resume " + file + ": it was measured with " + there.java() + " on "
                    + there.processor() + " " + there.flags() + ", here is " + here.java() + " on " + here.processor()
                    + " " + here.flags());
        }
        List<Entry> entries = new ArrayList<>();
        StringBuilder whole = new StringBuilder(lines.get(0)).append('\n');
        for (int i = 1; i < lines.size(); i++) {
            try {
                entries.add(JSON.readValue(lines.get(i), Entry.class));
            } catch (IOException e) {
                if (i < lines.size() - 1) {
                    throw new IOException("cannot resume " + file + ": line " + (i + 1) + " is damaged", e);
                }
                break;
            }
            whole.append(lines.get(i)).append('\n');
        }
        Files.writeString(file, whole);
        return new Journal(file, entries);
    }

    private static boolean comparable(Environment there, Environment here) {
        return there.java().equals(here.java())
                && there.processor().equals(here.processor())
                && there.cores() == here.cores()
                && there.flags().equals(here.flags());
    }

    void add(Entry entry) throws IOException {
        entries.add(entry);
        if (file == null) {
            return;
        }
        String line = JSON.writeValueAsString(entry) + "\n";
        Files.write(file, line.getBytes(StandardCharsets.UTF_8), StandardOpenOption.APPEND);
    }

    /** Whether a round of a point has been measured. */
    boolean has(Point point, int round) {
        return entries.stream()
                .anyMatch(entry -> entry.round() == round
                        && entry.figures() != null
                        && entry.point().equals(point));
    }

    /** Everything in it. A point that failed and later did not has not failed. */
    public Measured measured() {
        Measured measured = new Measured();
        Map<Point, String> failures = new HashMap<>();
        for (Entry entry : entries) {
            if (entry.figures() != null) {
                measured.add(entry.point(), entry.figures());
                failures.remove(entry.point());
            } else {
                failures.put(entry.point(), String.valueOf(entry.failure()));
            }
        }
        failures.forEach(measured::fail);
        return measured;
    }
}
