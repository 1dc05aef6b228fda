package dev.buffers.bench.claims;

import dev.buffers.bench.duet.Journal;
import dev.buffers.bench.duet.Question;
import dev.buffers.bench.duet.Score;
import dev.buffers.bench.duet.Trial;
import dev.buffers.bench.duet.Verdict;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What became of a claim.
 *
 * @param scores of each of its trials that the run was to play
 * @param word for the whole
 */
public record Finding(Claim claim, List<Score> scores, Verdict.Finding word) {

    /** Puts what a journal says to the rule. What is only asked beside the claim, which side costs less, has no say. */
    public static Finding of(Claim claim, Journal journal) {
        Set<Trial> planned = new HashSet<>(journal.header().trials());
        List<Score> scores = new ArrayList<>();
        Map<String, List<Score>> sizes = new LinkedHashMap<>();
        for (Trial trial : claim.trials(true)) {
            if (planned.contains(trial)) {
                Score score = Score.of(journal, trial);
                scores.add(score);
                if (trial.question().kind() != Question.Kind.EITHER) {
                    sizes.computeIfAbsent(trial.label(), label -> new ArrayList<>())
                            .add(score);
                }
            }
        }
        Verdict.Finding word = claim.obstacle().isEmpty()
                ? Verdict.ofAll(sizes)
                : new Verdict.Finding(Verdict.NOT_MEASURABLE, claim.obstacle());
        return new Finding(claim, List.copyOf(scores), word);
    }

    /** Whether it asks nothing but which side costs less: a lane, not a claim. */
    public boolean isOpenQuestion() {
        return !scores.isEmpty()
                && scores.stream().allMatch(score -> score.trial().question().kind() == Question.Kind.EITHER);
    }

    /** Whether it was beyond doubt, or cannot be. */
    public boolean isDecided() {
        Verdict verdict = word.verdict();
        return verdict != Verdict.OPEN && verdict != Verdict.WITHHELD && verdict != Verdict.NOT_RUN;
    }
}
