package dev.buffers.bench.claims;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.bench.figures.Environment;
import dev.buffers.bench.figures.Progress;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rounds, their order, and what an interruption, a failure and a resumption leave behind. */
class CampaignTest {
    private static final int SIZES = 6;
    private static final Environment HERE = Environment.here(List.of("-Xmx1g"));

    @TempDir
    private Path folder;

    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private Path file;

    @BeforeEach
    void place() {
        file = folder.resolve("journal.jsonl");
    }

    @Test
    void everyRoundVisitsEveryPointInAnOrderOfItsOwn() throws Exception {
        MadeUpExperiment made = new MadeUpExperiment("x", SIZES, point -> 5.0);
        Journal journal = Journal.begin(file, HERE);
        run(made, journal, 3);
        assertEquals(3 * SIZES, made.measured.size());
        List<Point> first = made.measured.subList(0, SIZES);
        List<Point> second = made.measured.subList(SIZES, 2 * SIZES);
        assertEquals(made.points(Depth.FULL), new HashSet<>(first));
        assertEquals(made.points(Depth.FULL), new HashSet<>(second));
        assertNotEquals(first, second);
        for (Point point : made.points(Depth.FULL)) {
            assertEquals(3, journal.measured().forks(point, "time").length);
        }
    }

    @Test
    void saysWhatItDidAndWhatIsLeft() throws Exception {
        run(new MadeUpExperiment("x", 1, point -> 5.0), Journal.begin(file, HERE), 2);
        String text = said.toString(StandardCharsets.UTF_8);
        assertTrue(text.contains("0:10 left] [1/2] x size=1: 5.0 ns/op"), text);
        assertTrue(text.contains("0:00 left] [2/2]"), text);
    }

    @Test
    void whatFailsIsNotTriedAgainAndTheRestGoesOn() throws Exception {
        MadeUpExperiment made =
                new MadeUpExperiment("x", SIZES, point -> point.get("size").equals("3") ? -1.0 : 5.0);
        Journal journal = Journal.begin(file, HERE);
        run(made, journal, 3);
        assertEquals(3 * (SIZES - 1) + 1, made.measured.size());
        Measured measured = journal.measured();
        assertEquals(Map.of(MadeUpExperiment.size("x", 3), "less than nothing"), measured.failures());
        assertEquals(3, measured.forks(MadeUpExperiment.size("x", 4), "time").length);
        assertEquals(0, measured.forks(MadeUpExperiment.size("x", 3), "time").length);
    }

    @Test
    void stopsAfterTheForkThatIsUnderWay() throws Exception {
        Journal journal = Journal.begin(file, HERE);
        Campaign[] campaign = new Campaign[1];
        MadeUpExperiment made = new MadeUpExperiment("x", SIZES, point -> {
            if (journal.measured().points().size() == 3) {
                campaign[0].stop();
            }
            return 5.0;
        });
        campaign[0] = campaign(made, journal, 3);
        campaign[0].run(progress());
        assertEquals(4, made.measured.size());
        assertTrue(campaign[0].isStopped());
    }

    @Test
    void aForkThatDiesOfTheStopHasNotFailed() throws Exception {
        Journal journal = Journal.begin(file, HERE);
        Campaign[] campaign = new Campaign[1];
        MadeUpExperiment made = new MadeUpExperiment("x", SIZES, point -> {
            campaign[0].stop();
            return -1.0;
        });
        campaign[0] = campaign(made, journal, 3);
        campaign[0].run(progress());
        assertEquals(Map.of(), journal.measured().failures());
    }

    @Test
    void resumesWhereItEnded() throws Exception {
        MadeUpExperiment made = new MadeUpExperiment("x", SIZES, point -> 5.0);
        run(made, Journal.begin(file, HERE), 2);
        Journal again = Journal.resume(file, HERE);
        Campaign more = campaign(made, again, 5);
        assertEquals(3 * SIZES * 10.0, more.seconds());
        more.run(progress());
        assertEquals(5 * SIZES, made.measured.size());
        assertEquals(5, Journal.resume(file, HERE).measured().forks(MadeUpExperiment.size("x", 1), "rate").length);
    }

    @Test
    void whatFailedIsTriedAgainWhenResumed() throws Exception {
        Journal journal = Journal.begin(file, HERE);
        run(new MadeUpExperiment("x", 1, point -> -1.0), journal, 2);
        assertFalse(journal.measured().failures().isEmpty());
        Journal again = Journal.resume(file, HERE);
        run(new MadeUpExperiment("x", 1, point -> 5.0), again, 2);
        assertEquals(Map.of(), again.measured().failures());
        assertEquals(2, again.measured().forks(MadeUpExperiment.size("x", 1), "time").length);
    }

    @Test
    void aLineThatWasCutOffIsMeasuredAgain() throws Exception {
        MadeUpExperiment made = new MadeUpExperiment("x", 2, point -> 5.0);
        run(made, Journal.begin(file, HERE), 1);
        String text = Files.readString(file);
        Files.writeString(file, text.substring(0, text.length() - 7));
        Journal again = Journal.resume(file, HERE);
        run(made, again, 1);
        assertEquals(3, made.measured.size());
        assertEquals(
                Set.copyOf(made.points(Depth.FULL)),
                Journal.resume(file, HERE).measured().points());
    }

    @Test
    void aDamagedJournalIsRefused() throws Exception {
        run(new MadeUpExperiment("x", 2, point -> 5.0), Journal.begin(file, HERE), 1);
        List<String> lines = Files.readAllLines(file);
        Files.write(file, List.of(lines.get(0), "what?", lines.get(2)));
        IOException refused = assertThrows(IOException.class, () -> Journal.resume(file, HERE));
        assertTrue(refused.getMessage().contains("line 2 is damaged"), refused.getMessage());
    }

    @Test
    void figuresOfAnotherJavaAreRefused() throws Exception {
        run(new MadeUpExperiment("x", 2, point -> 5.0), Journal.begin(file, HERE), 1);
        Environment other = new Environment(HERE.when(), "Java 99", HERE.system(), HERE.processor(), 2, HERE.flags());
        IOException refused = assertThrows(IOException.class, () -> Journal.resume(file, other));
        assertTrue(refused.getMessage().contains("Java 99"), refused.getMessage());
        assertThrows(IOException.class, () -> Journal.resume(file, Environment.here(List.of("-Xmx2g"))));
    }

    private void run(Experiment experiment, Journal journal, int rounds) throws Exception {
        campaign(experiment, journal, rounds).run(progress());
    }

    private static Campaign campaign(Experiment experiment, Journal journal, int rounds) {
        List<Point> points = List.copyOf(experiment.points(Depth.FULL));
        return new Campaign(Map.of(experiment.id(), experiment), points, rounds, journal);
    }

    private Progress progress() {
        return new Progress(new PrintStream(said, true, StandardCharsets.UTF_8), 20);
    }
}
