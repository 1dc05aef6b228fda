package dev.buffers.bench.duet;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.buffers.bench.duet.Contestant.Slices;
import dev.buffers.bench.duet.Contestant.Turn;
import dev.buffers.bench.duet.Contestant.Warmth;
import dev.buffers.bench.figures.Environment;
import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Every slice of a run, a line of JSON each, as soon as it is known: whatever is reported can be computed again from here alone. */
public final class SliceJournal implements Closeable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final @Nullable BufferedWriter out;
    private final Header header;
    private final List<Slice> slices = new ArrayList<>();
    private final List<Played> played = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();

    /** One line: one of them is there. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    private record Line(
            @Nullable Header header,
            @Nullable Slice slice,
            @Nullable Played played,
            @Nullable String failure) {}

    /**
     * What is compared, how, and where.
     *
     * @param controlled the cells that have an A/A control
     * @param busy whether what was measured beside others counts
     */
    public record Header(
            Environment where,
            Duet.Plan plan,
            Variant base,
            List<Variant> challengers,
            List<Cell> cells,
            List<String> controlled,
            Question question,
            boolean busy) {}

    /**
     * One turn.
     *
     * @param pair the number of the JVMs, counted over the run
     * @param challenger against whom the base plays in this quad
     * @param quad the number of the quad
     * @param base whether this is the base's turn
     */
    record Slice(int pair, String cell, String challenger, int quad, boolean base, Turn turn) {}

    /**
     * A cell that a pair has played to its end.
     *
     * @param warmth of each side before its first turn
     * @param agreed whether each side's clocks agree on the CPU time of its turns; where they do not, threads ended that were not seen
     * @param load what others did meanwhile; null where that cannot be known
     */
    record Played(
            int pair,
            String cell,
            Slices slices,
            Map<String, Warmth> warmth,
            boolean agreed,
            Machine.@Nullable Load load) {}

    private SliceJournal(@Nullable BufferedWriter out, Header header) {
        this.out = out;
        this.header = header;
    }

    /** Begins a new one in place of any that is there. */
    static SliceJournal begin(Path file, Header header) throws IOException {
        Files.createDirectories(Objects.requireNonNull(file.toAbsolutePath().getParent()));
        SliceJournal journal = new SliceJournal(Files.newBufferedWriter(file), header);
        journal.write(new Line(header, null, null, null));
        return journal;
    }

    /** Reads one; a last line that was cut off is dropped. */
    static SliceJournal read(Path file) throws IOException {
        List<String> lines = Files.readAllLines(file);
        SliceJournal journal = null;
        for (int i = 0; i < lines.size(); i++) {
            Line line;
            try {
                line = JSON.readValue(lines.get(i), Line.class);
            } catch (IOException e) {
                if (i == lines.size() - 1) {
                    break;
                }
                throw new IOException(file + ": line " + (i + 1) + " is damaged", e);
            }
            if (line.header() != null) {
                journal = new SliceJournal(null, line.header());
            } else if (journal != null) {
                journal.keep(line);
            }
        }
        if (journal == null) {
            throw new IOException(file + " is no journal of a duet");
        }
        return journal;
    }

    void add(Slice slice) throws IOException {
        add(new Line(null, slice, null, null));
    }

    void add(Played cell) throws IOException {
        add(new Line(null, null, cell, null));
    }

    void addFailure(String failure) throws IOException {
        add(new Line(null, null, null, failure));
    }

    Header header() {
        return header;
    }

    List<Slice> slices() {
        return slices;
    }

    List<Played> played() {
        return played;
    }

    List<String> failures() {
        return failures;
    }

    @Override
    public void close() throws IOException {
        if (out != null) {
            out.close();
        }
    }

    private void add(Line line) throws IOException {
        keep(line);
        write(line);
    }

    private void keep(Line line) {
        if (line.slice() != null) {
            slices.add(line.slice());
        } else if (line.played() != null) {
            played.add(line.played());
        } else if (line.failure() != null) {
            failures.add(line.failure());
        }
    }

    private void write(Line line) throws IOException {
        if (out != null) {
            out.write(JSON.writeValueAsString(line));
            out.newLine();
            out.flush();
        }
    }
}
