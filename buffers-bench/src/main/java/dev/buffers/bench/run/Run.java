package dev.buffers.bench.run;

import dev.buffers.bench.claims.Claim;
import dev.buffers.bench.duet.Cell;
import dev.buffers.bench.duet.Duet;
import dev.buffers.bench.duet.Environment;
import dev.buffers.bench.duet.Interruption;
import dev.buffers.bench.duet.Journal;
import dev.buffers.bench.duet.Match;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Plays matches until they are decided, the time is over or somebody ends it, and tells what is known then.
 *
 * @param limit when no further round begins
 * @param pairs the least that are played of each cell, and the most
 * @param busy whether what others disturb counts
 * @param quick whether turns are so short, and pairs so few, that what comes out proves nothing
 * @param resume whether to go on with the journal that is there
 */
public record Run(Duration limit, Journal.Range pairs, int controls, boolean busy, boolean quick, boolean resume) {
    /** As many rounds as all looks need, and half as many again for those that others disturb. */
    public static final Journal.Range PAIRS = new Journal.Range(5, 24);

    private static final Journal.Range ONE = new Journal.Range(1, 1);

    /** What is done with what came out. */
    public interface Teller {
        /** Tells it, and returns the status to exit with. */
        int tell(Journal journal, boolean stopped) throws IOException;
    }

    /** The usual run of so many minutes at most. */
    public static Run of(Duration limit, boolean quick) {
        return new Run(limit, quick ? ONE : PAIRS, quick ? 0 : 1, quick, quick, false);
    }

    /** Plays the matches of some rows. */
    public int play(List<Claim> claims, boolean all, Path file, Consumer<String> log, Teller teller)
            throws IOException, InterruptedException {
        return play(Claim.matches(claims, all), file, null, log, teller);
    }

    /**
     * Plays matches.
     *
     * @param file the journal
     * @param folder what web servers serve; null for files that are made for that
     */
    public int play(List<Match> asked, Path file, @Nullable Path folder, Consumer<String> log, Teller teller)
            throws IOException, InterruptedException {
        List<Match> matches = quick ? asked.stream().map(Match::quick).toList() : asked;
        Journal.Header header = new Journal.Header(
                Environment.here(ManagementFactory.getRuntimeMXBean().getInputArguments()),
                matches,
                pairs,
                matches.stream()
                        .filter(match -> match.engine() == Match.Engine.JMH || match.engine() == Match.Engine.HTTP)
                        .flatMap(match -> match.cells().stream().limit(1))
                        .limit(controls)
                        .map(Cell::name)
                        .toList(),
                busy);
        try (Journal journal = resume ? Journal.resume(file, header) : Journal.begin(file, header);
                Contestants contestants = new Contestants(folder)) {
            Duet duet = new Duet(journal, contestants, log);
            Interruption interruption = Interruption.stops(duet);
            try {
                duet.play(Instant.now().plus(limit));
                return teller.tell(journal, duet.isStopped());
            } finally {
                interruption.answered();
            }
        }
    }
}
