// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.bench.claims.Claim;
import dev.buffers.bench.harness.Comparison;
import dev.buffers.bench.harness.Comparison.Engine;
import dev.buffers.bench.harness.Journal;
import dev.buffers.bench.harness.Score;
import dev.buffers.bench.harness.Trial;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every kind of comparison other than JMH runs briefly in separate JVMs, reports its figures and leaves no process behind. */
@Tag("full")
class ContestantsTest {
    @TempDir
    private Path folder;

    @Test
    void serversAndPassesPlayAndEnd() throws Exception {
        Map<Engine, Integer> taken = new HashMap<>();
        List<Comparison> comparisons = new ArrayList<>();
        for (Comparison comparison : Claim.comparisons(Claim.all(), true)) {
            int most = comparison.engine() == Engine.JMH ? 0 : 1;
            if (taken.merge(comparison.engine(), 1, Integer::sum) <= most) {
                comparisons.add(smaller(comparison));
            }
        }
        assertTrue(comparisons.size() == 7, () -> "comparisons=" + comparisons.size());
        List<Long> before =
                ProcessHandle.current().children().map(ProcessHandle::pid).toList();
        new Run(Duration.ofMinutes(10), 1, 1, 0, true, true, false).run(comparisons, folder.resolve("j"), this::check);
        assertTrue(ProcessHandle.current().children().allMatch(child -> before.contains(child.pid())));
    }

    /** One alternative, and each kind of cell: of servers the loads, with few connections. */
    private static Comparison smaller(Comparison comparison) {
        List<Trial> trials = comparison.trials().stream()
                .filter(trial ->
                        trial.alternative().equals(comparison.trials().get(0).alternative()))
                .filter(trial ->
                        comparison.engine() != Engine.ECHO || !trial.cell().contains("100"))
                .limit(3)
                .toList();
        List<String> names = trials.stream().map(Trial::cell).toList();
        return comparison.only(
                comparison.cells().stream()
                        .filter(cell -> names.contains(cell.name()))
                        .toList(),
                trials);
    }

    private int check(Journal journal, boolean stopped) {
        assertEquals(List.of(), journal.failures());
        for (Trial trial : journal.header().trials()) {
            Score score = Score.of(journal, trial);
            assertEquals(1, score.pairs(), trial::toString);
            assertTrue(Score.base(journal, score.trial()) > 0, score::toString);
        }
        return 0;
    }
}
