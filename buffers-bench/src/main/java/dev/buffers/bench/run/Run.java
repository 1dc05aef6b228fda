package dev.buffers.bench.run;

import dev.buffers.bench.duet.Cell;
import dev.buffers.bench.duet.Duet;
import dev.buffers.bench.duet.Environment;
import dev.buffers.bench.duet.Journal;
import dev.buffers.bench.duet.Match;
import dev.buffers.bench.duet.Trial;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Plays matches until they are decided, the time is over or somebody ends it, and tells what is known then. Ctrl-C ends the game that is
 * played, and the JVM ends once that is told.
 *
 * @param limit when no further round begins
 * @param leastPairs so many are played of each cell at least
 * @param mostPairs so many at most
 * @param controls in how many cells the base plays against itself too
 * @param busy whether what others disturb counts
 * @param quick whether turns are so short that what comes out proves nothing: then one pair is played, and counts in any case
 * @param resume whether to go on with the journal that is there
 */
record Run(Duration limit, int leastPairs, int mostPairs, int controls, boolean busy, boolean quick, boolean resume) {
    /** As many rounds as all looks need, and half as many again for those that others disturb. */
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

    /** Plays matches, each of whose trials is decided by itself. */
    int play(List<Match> asked, Path file, @Nullable Path folder, Consumer<String> log, Teller teller)
            throws IOException, InterruptedException {
        return play(asked, List.of(), file, folder, log, teller);
    }

    /**
     * Plays matches.
     *
     * @param rows trials that decide a row together
     * @param file the journal
     * @param folder what web servers serve; null for files that are made for that
     */
    int play(
            List<Match> asked,
            List<List<Trial>> rows,
            Path file,
            @Nullable Path folder,
            Consumer<String> log,
            Teller teller)
            throws IOException, InterruptedException {
        List<Match> matches = quick ? asked.stream().map(Match::quick).toList() : asked;
        List<String> controlled = matches.stream()
                .filter(match -> match.engine() == Match.Engine.JMH || match.engine() == Match.Engine.HTTP)
                .flatMap(match -> match.cells().stream().limit(1))
                .limit(controls)
                .map(Cell::name)
                .toList();
        Journal.Header header =
                new Journal.Header(Environment.here(), matches, leastPairs, mostPairs, controlled, busy);
        try (Journal journal = resume ? Journal.resume(file, header) : Journal.begin(file, header);
                Contestants contestants = new Contestants(folder)) {
            Duet duet = new Duet(journal, rows, contestants, log, InstantSource.system());
            CountDownLatch told = new CountDownLatch(1);
            Thread hook = new Thread(() -> stop(duet, told), "interrupted");
            Runtime.getRuntime().addShutdownHook(hook);
            try {
                duet.play(Instant.now().plus(limit));
                return teller.tell(journal, duet.isStopped());
            } finally {
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

    private static void stop(Duet duet, CountDownLatch told) {
        duet.stop();
        try {
            told.await(SECONDS_TO_TELL, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
