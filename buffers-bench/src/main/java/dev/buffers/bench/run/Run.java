// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.run;

import dev.buffers.bench.harness.Cell;
import dev.buffers.bench.harness.Comparison;
import dev.buffers.bench.harness.Environment;
import dev.buffers.bench.harness.Harness;
import dev.buffers.bench.harness.Journal;
import dev.buffers.bench.harness.Machine;
import dev.buffers.bench.harness.Trial;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs comparisons until they are decided, the time is over or it is interrupted, and then reports the results. Ctrl-C ends the pair that
 * is measured, and the JVM ends after the report.
 *
 * @param limit when no further round begins
 * @param leastPairs no analysis with fewer pairs decides
 * @param mostPairs so many at most
 * @param controls in how many cells the base runs against itself too
 * @param busy whether pairs that others disturb count, with a wider interval
 * @param quick whether turns are so short that the figures prove nothing: then one pair is measured, and counts in any case
 * @param resume whether to go on with the journal that is there
 */
record Run(Duration limit, int leastPairs, int mostPairs, int controls, boolean busy, boolean quick, boolean resume) {
    /** As many rounds as all analyses need, and half as many again for those that others disturb. */
    static final int MOST_PAIRS = 24;

    private static final int SECONDS_TO_TELL = 30;

    interface Teller {
        /** Tells it, and returns the status to exit with. */
        int tell(Journal journal, boolean stopped) throws IOException;
    }

    Run {
        if (quick) {
            leastPairs = 1;
            mostPairs = 1;
            controls = 0;
            busy = true;
        }
    }

    /** Runs comparisons, each of whose trials is decided by itself. */
    int run(List<Comparison> asked, Path file, Teller teller) throws IOException, InterruptedException {
        return run(asked, List.of(), file, null, journal -> "", teller);
    }

    /**
     * Runs comparisons.
     *
     * @param claims trials that decide a claim together
     * @param file the journal
     * @param folder what web servers serve; null for files that are made for that
     * @param soFar the result after a round, for the live line
     */
    int run(
            List<Comparison> asked,
            List<List<Trial>> claims,
            Path file,
            @Nullable Path folder,
            Function<Journal, String> soFar,
            Teller teller)
            throws IOException, InterruptedException {
        List<Comparison> comparisons =
                quick ? asked.stream().map(Comparison::quick).toList() : asked;
        List<String> controlled = comparisons.stream()
                .filter(comparison ->
                        comparison.engine() == Comparison.Engine.JMH || comparison.engine() == Comparison.Engine.HTTP)
                .flatMap(comparison -> comparison.cells().stream().limit(1))
                .limit(controls)
                .map(Cell::name)
                .toList();
        Journal.Header header =
                new Journal.Header(Environment.here(), comparisons, leastPairs, mostPairs, controlled, busy);
        try (Journal journal = resume ? Journal.resume(file, header) : Journal.begin(file, header);
                Contestants contestants = new Contestants(folder)) {
            Instant deadline = Instant.now().plus(limit);
            LiveLine live = new LiveLine(System.err, LiveLine.isTerminal(), journal, deadline, soFar);
            Harness harness = new Harness(journal, claims, contestants, live, InstantSource.system(), Machine.PROC);
            CountDownLatch told = new CountDownLatch(1);
            Thread hook = new Thread(() -> stop(harness, told), "interrupted");
            Runtime.getRuntime().addShutdownHook(hook);
            try {
                harness.run(deadline);
                live.close();
                return teller.tell(journal, harness.isStopped());
            } finally {
                live.close();
                told.countDown();
                forget(hook);
            }
        }
    }

    private static void forget(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // the JVM is ending, and the hook with it
        }
    }

    private static void stop(Harness harness, CountDownLatch told) {
        harness.stop();
        try {
            told.await(SECONDS_TO_TELL, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
