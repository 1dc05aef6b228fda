package dev.buffers.bench.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.bench.claims.Claim;
import dev.buffers.bench.duet.Journal;
import dev.buffers.bench.duet.Match;
import dev.buffers.bench.duet.Match.Engine;
import dev.buffers.bench.duet.Score;
import dev.buffers.bench.duet.Trial;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Everything that is no benchmark of JMH plays a little, in JVMs of its own: its figures are there, and nobody is left running. */
@Tag("smoke")
class ContestantsTest {
    @TempDir
    private Path folder;

    @Test
    @Timeout(300) // ten JVMs, on a machine that may be busy
    void serversAndPassesPlayAndEnd() throws Exception {
        Map<Engine, Integer> taken = new HashMap<>();
        List<Match> matches = new ArrayList<>();
        for (Match match : Claim.matches(Claim.all(), true)) {
            int most = match.engine() == Engine.JMH ? 0 : 1;
            if (taken.merge(match.engine(), 1, Integer::sum) <= most) {
                matches.add(smaller(match));
            }
        }
        assertTrue(matches.size() == 5, () -> "matches=" + matches.size());
        List<Long> before =
                ProcessHandle.current().children().map(ProcessHandle::pid).toList();
        new Run(Duration.ofMinutes(10), 1, 1, 0, true, true, false)
                .play(matches, folder.resolve("j"), null, line -> {}, this::check);
        assertTrue(ProcessHandle.current().children().allMatch(child -> before.contains(child.pid())));
    }

    /** One challenger, and each kind of cell: of servers the loads, with few connections. */
    private static Match smaller(Match match) {
        List<Trial> trials = match.trials().stream()
                .filter(trial -> trial.challenger().equals(match.trials().get(0).challenger()))
                .filter(trial -> match.engine() != Engine.ECHO || !trial.cell().contains("100"))
                .limit(3)
                .toList();
        List<String> names = trials.stream().map(Trial::cell).toList();
        return match.only(
                match.cells().stream()
                        .filter(cell -> names.contains(cell.name()))
                        .toList(),
                trials);
    }

    private int check(Journal journal, boolean stopped) {
        assertEquals(List.of(), journal.failures());
        for (Trial trial : journal.header().trials()) {
            Score score = Score.of(journal, trial);
            assertEquals(1, score.pairs(), trial::toString);
            assertTrue(score.base() > 0 && score.challenger() > 0, score::toString);
        }
        return 0;
    }
}
