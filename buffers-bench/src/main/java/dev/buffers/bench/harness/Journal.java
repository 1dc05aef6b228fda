// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.harness;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.buffers.bench.harness.Contestant.Turn;
import dev.buffers.bench.harness.Contestant.Warmth;
import java.io.Closeable;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Every slice of a run, a line of JSON each, as soon as it is known: whatever is reported can be computed again from here alone. */
public final class Journal implements Closeable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Writer out;
    private final Header header;
    private final Map<String, List<Slice>> slices = new HashMap<>();
    private final List<Measured> measured = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();

    /** One line: one of them is there. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    private record Line(
            @Nullable Header header,
            @Nullable Slice slice,
            @Nullable Measured measured,
            @Nullable String failure) {}

    /**
     * The comparisons, how they run, and where.
     *
     * @param leastPairs no analysis with fewer pairs decides
     * @param mostPairs so many at most
     * @param controlled the cells that have an A/A control
     * @param busy whether pairs that others disturbed count, with a wider interval
     */
    public record Header(
            Environment where,
            List<Comparison> comparisons,
            int leastPairs,
            int mostPairs,
            List<String> controlled,
            boolean busy) {

        /** Whether it is too short to prove anything. */
        @JsonIgnore
        public boolean isSmokeRun() {
            return leastPairs == 1 && mostPairs == 1;
        }

        private Header countingDisturbed() {
            return new Header(where, comparisons, leastPairs, mostPairs, controlled, true);
        }

        public List<Trial> trials() {
            return comparisons.stream()
                    .flatMap(comparison -> comparison.trials().stream())
                    .toList();
        }
    }

    /**
     * One turn.
     *
     * @param pair the number of the JVMs, counted over the run
     * @param side whose turn it was
     * @param quad how often all had taken their turns before, there and back
     * @param base whether that side is the base
     */
    public record Slice(int pair, String cell, String side, int quad, boolean base, Turn turn) {}

    /**
     * A cell that a pair has measured to its end.
     *
     * @param warmth of each side before its first turn
     * @param agreed whether each side's clocks agree on the CPU time of its turns; where they do not, threads ended that were not seen
     * @param load what other programs did in that time; null where it is not known
     */
    public record Measured(
            int pair, String cell, Map<String, Warmth> warmth, boolean agreed, Machine.@Nullable Load load) {

        Measured beside(Machine.@Nullable Load others) {
            return new Measured(pair, cell, warmth, agreed, others);
        }
    }

    private Journal(Writer out, Header header) {
        this.out = out;
        this.header = header;
    }

    /** Begins a new one in place of any that is there. */
    public static Journal begin(Path file, Header header) throws IOException {
        Files.createDirectories(Objects.requireNonNull(file.toAbsolutePath().getParent()));
        Journal journal = new Journal(Files.newBufferedWriter(file), header);
        journal.add(new Line(header, null, null, null));
        return journal;
    }

    /** Goes on with an existing journal, or begins one. The comparisons, the machine and Java have to be the same. */
    public static Journal resume(Path file, Header header) throws IOException {
        if (!Files.exists(file)) {
            return begin(file, header);
        }
        Journal before = read(file);
        Environment there = before.header.where();
        if (!before.header.comparisons().equals(header.comparisons()) || !there.isAlike(header.where())) {
            throw new IOException("cannot resume " + file + ": it is of another run, or of another machine or Java; "
                    + there.java() + " on " + there.processor() + " " + there.flags());
        }
        Journal journal = begin(file, header);
        for (Measured one : before.measured) {
            for (Slice slice : before.slices(one.cell())) {
                if (slice.pair() == one.pair()) {
                    journal.add(slice);
                }
            }
            journal.add(one);
        }
        return journal;
    }

    /** Reads one; a last line that was cut off is dropped. */
    public static Journal read(Path file) throws IOException {
        return read(file, false);
    }

    /**
     * Reads one.
     *
     * @param busy whether pairs that others disturbed count even if they did not count in the run
     */
    public static Journal read(Path file, boolean busy) throws IOException {
        List<String> lines = Files.readAllLines(file);
        Journal journal = null;
        for (int i = 0; i < lines.size(); i++) {
            try {
                Line line = JSON.readValue(lines.get(i), Line.class);
                Header header = line.header();
                if (header != null) {
                    journal = new Journal(Writer.nullWriter(), busy ? header.countingDisturbed() : header);
                } else if (journal != null) {
                    journal.add(line);
                }
            } catch (IOException e) {
                if (i < lines.size() - 1) {
                    throw new IOException(file + ": line " + (i + 1) + " is damaged", e);
                }
            }
        }
        if (journal == null) {
            throw new IOException(file + " is no journal of this bench");
        }
        return journal;
    }

    void add(Slice slice) throws IOException {
        add(new Line(null, slice, null, null));
    }

    void add(Measured cell) throws IOException {
        add(new Line(null, null, cell, null));
    }

    void addFailure(String failure) throws IOException {
        add(new Line(null, null, null, failure));
    }

    private void add(Line line) throws IOException {
        if (line.slice() != null) {
            slices.computeIfAbsent(line.slice().cell(), cell -> new ArrayList<>())
                    .add(line.slice());
        } else if (line.measured() != null) {
            measured.add(line.measured());
        } else if (line.failure() != null) {
            failures.add(line.failure());
        }
        out.write(JSON.writeValueAsString(line) + System.lineSeparator());
        out.flush();
    }

    public Header header() {
        return header;
    }

    public List<Slice> slices(String cell) {
        return slices.getOrDefault(cell, List.of());
    }

    /** Whether a pair counts: the clocks agree, and others did not use too much of the machine. */
    boolean counts(Measured measured) {
        return measured.agreed()
                && (header.busy() || measured.load() == null || measured.load().isQuiet());
    }

    int nextPair() {
        return measured.stream().mapToInt(Measured::pair).max().orElse(-1) + 1;
    }

    /** How many there are. */
    public int size() {
        return slices.values().stream().mapToInt(List::size).sum();
    }

    public List<Measured> measured() {
        return measured;
    }

    /** How many rounds of a comparison there are. */
    public int rounds(Comparison comparison) {
        return comparison.cells().stream()
                .mapToInt(cell -> (int) measured.stream()
                        .filter(its -> its.cell().equals(cell.name()))
                        .count())
                .max()
                .orElse(0);
    }

    public List<String> failures() {
        return failures;
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
