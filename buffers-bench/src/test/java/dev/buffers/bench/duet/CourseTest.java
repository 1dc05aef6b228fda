package dev.buffers.bench.duet;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CourseTest {
    private static final Cell CELL = new Cell("burst", "Burst", Map.of());
    private static final Variant OURS = new Variant("ours", Map.of());

    @TempDir
    private Path folder;

    private Journal journal;

    @Test
    void eachSecondIsTheMedianOfThePairsThatCount() throws Exception {
        Match match = new Match(
                "burst",
                Match.Engine.PASS,
                new Match.Pace(1, 20, 0, 0),
                List.of(),
                OURS,
                List.of(),
                List.of(CELL),
                List.of());
        Journal.Header header = new Journal.Header(Environment.here(), List.of(match), 5, 24, List.of(), false);
        journal = Journal.begin(folder.resolve("journal.jsonl"), header);
        slice(0, "ours", 10, 4);
        slice(0, "ours", 10, 4); // it has played against two
        slice(1, "ours", 30, 5);
        slice(2, "ours", 20, 6);
        slice(0, "theirs", 10, 10);
        slice(3, "ours", 90, 90);
        for (int pair = 0; pair < 3; pair++) {
            played(pair, true);
        }
        played(3, false); // its clocks do not agree
        journal.close();
        List<Course> expected = List.of(
                new Course("burst", "ours", "resident", List.of(20.0, 5.0)),
                new Course("burst", "theirs", "resident", List.of(10.0, 10.0)));
        assertEquals(expected, Course.all(journal));
        assertEquals(expected, Course.all(Journal.read(folder.resolve("journal.jsonl"))));
    }

    private void played(int pair, boolean agreed) throws IOException {
        journal.add(new Journal.Played(pair, "burst", Map.of(), agreed, null));
    }

    private void slice(int pair, String side, double first, double second) throws IOException {
        Map<String, Double> figures = Map.of("resident@00", first, "resident@01", second, "p50", 1.0, "p99", 2.0);
        Contestant.Turn turn = new Contestant.Turn(0, 1, 1, 1, null, figures);
        journal.add(new Journal.Slice(pair, "burst", side, 0, side.equals("ours"), turn));
    }
}
