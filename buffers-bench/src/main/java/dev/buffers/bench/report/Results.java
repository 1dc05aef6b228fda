package dev.buffers.bench.report;

import dev.buffers.bench.claims.Claim;
import dev.buffers.bench.claims.Finding;
import dev.buffers.bench.duet.Estimate;
import dev.buffers.bench.duet.Journal;
import dev.buffers.bench.duet.Machine;
import dev.buffers.bench.duet.Match;
import dev.buffers.bench.duet.Score;
import dev.buffers.bench.duet.Trial;
import dev.buffers.bench.duet.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * All that a run has found out so far, from its journal alone: what every report is made from.
 *
 * @param title of the run
 * @param answer the sentence that it is about; empty where the verdicts are
 * @param claims the rows that were asked for
 */
public record Results(String title, String answer, Journal journal, List<Claim> claims) {

    /** What became of each row. */
    public List<Finding> findings() {
        return claims.stream().map(claim -> Finding.of(claim, journal)).toList();
    }

    /** The sentence that the report begins with. */
    String headline() {
        if (!answer.isEmpty()) {
            return answer;
        }
        List<Finding> findings = findings();
        if (findings.stream().allMatch(Finding::isOpenQuestion)) {
            return lanes(findings);
        }
        Map<Verdict, Integer> counts = new TreeMap<>();
        findings.forEach(finding -> counts.merge(finding.word().verdict(), 1, Integer::sum));
        List<String> words = new ArrayList<>();
        counts.forEach((verdict, count) -> words.add(count + " " + verdict));
        long decided = findings.stream().filter(Finding::isDecided).count();
        return "Of " + findings.size() + " claims " + decided + " are decided: " + String.join(", ", words) + ".";
    }

    private static String lanes(List<Finding> findings) {
        long better = 0;
        long worse = 0;
        long all = 0;
        for (Finding finding : findings) {
            for (Score score : finding.scores()) {
                all++;
                better += score.verdict() == Verdict.REVERSED ? 1 : 0;
                worse += score.verdict() == Verdict.HOLDS ? 1 : 0;
            }
        }
        return "Of " + all + " comparisons the pool costs less in " + better + ", more in " + worse
                + "; the others are open, or there is no difference.";
    }

    /** What the machine did meanwhile that the figures cannot be trusted for; empty when it was quiet. */
    public List<String> warnings() {
        List<Machine.Load> loads = journal.played().stream()
                .map(Journal.Played::load)
                .filter(Objects::nonNull)
                .map(Objects::requireNonNull)
                .toList();
        List<String> warnings = new ArrayList<>();
        int played = journal.played().size();
        if (loads.size() < played) {
            warnings.add("What others did on this machine meanwhile is not known here.");
        }
        long disturbed = loads.stream().filter(load -> !load.isQuiet()).count();
        if (disturbed > 0) {
            warnings.add(String.format(
                    Locale.ROOT,
                    "NOT A QUIET MACHINE: others used more than %.0f %% of it (%.0f %% and %.0f %% steal on average, load %.1f) during %d of"
                            + " %d games; %s.",
                    100 * Machine.BEARABLE,
                    average(loads.stream().map(Machine.Load::others).toList()) * 100,
                    average(loads.stream().map(Machine.Load::steal).toList()) * 100,
                    average(loads.stream().map(Machine.Load::load).toList()),
                    disturbed,
                    played,
                    journal.header().busy()
                            ? "they count all the same, so this proves nothing"
                            : "these are left out"));
        }
        return warnings;
    }

    private static double average(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).average().orElse(0);
    }

    /** The base against itself. */
    List<String> controls() {
        return journal.header().controlled().stream()
                .map(cell -> Score.of(journal, Trial.control(cell)))
                .map(score -> "A/A control, " + score.trial().cell() + ": the base against itself is "
                        + score.cost().text()
                        + (score.cost().pairs() < 2 ? "." : remark(score.cost())))
                .toList();
    }

    private static String remark(Estimate control) {
        return control.interval(Verdict.WRONG).holds(1)
                ? ", as it should be."
                : ": EXCLUDES 1, which chance does in one control of twenty.";
    }

    /** How much of what was to be played has been, and what has not: for the end of a report. */
    List<String> completeness() {
        List<String> lines = new ArrayList<>();
        int cells = 0;
        int played = 0;
        List<String> notRun = new ArrayList<>();
        for (Match match : journal.header().matches()) {
            for (Trial trial : match.trials()) {
                Score score = Score.of(journal, trial);
                cells++;
                played += score.pairs() > 0 ? 1 : 0;
                if (score.pairs() == 0 && !notRun.contains(trial.cell())) {
                    notRun.add(trial.cell());
                }
            }
        }
        lines.add(played + " of " + cells + " planned trials were played, in " + journal.size() + " slices.");
        if (!notRun.isEmpty()) {
            lines.add("Not run: " + String.join("; ", notRun) + ".");
        }
        long behind = claims.stream()
                .mapToLong(claim -> claim.trials(true).stream()
                        .filter(trial -> !journal.header().trials().contains(trial))
                        .count())
                .sum();
        if (behind > 0) {
            lines.add(behind + " more trials of these rows, at other sizes and against others, run with --all.");
        }
        claims.stream()
                .filter(claim -> !claim.obstacle().isEmpty())
                .forEach(claim -> lines.add("Not measurable here: " + claim.id() + ", " + claim.obstacle() + "."));
        journal.failures().forEach(failure -> lines.add("Failed: " + failure + "."));
        return lines;
    }
}
