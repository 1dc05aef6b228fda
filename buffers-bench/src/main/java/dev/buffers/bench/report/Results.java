package dev.buffers.bench.report;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.buffers.bench.claims.Claim;
import dev.buffers.bench.duet.Course;
import dev.buffers.bench.duet.Environment;
import dev.buffers.bench.duet.Estimate;
import dev.buffers.bench.duet.Journal;
import dev.buffers.bench.duet.Journal.Played;
import dev.buffers.bench.duet.Machine;
import dev.buffers.bench.duet.Machine.Load;
import dev.buffers.bench.duet.Match;
import dev.buffers.bench.duet.Question;
import dev.buffers.bench.duet.Score;
import dev.buffers.bench.duet.Trial;
import dev.buffers.bench.duet.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * All that a run has found out so far, from its journal alone: what every report is made from.
 *
 * @param title of the run
 * @param answer the sentence that the report begins with
 * @param warnings what the machine did meanwhile that the figures cannot be trusted for; empty when it was quiet
 * @param findings what became of each row
 * @param courses what changed over time
 * @param end the A/A controls, and how complete this is
 * @param failed whether something failed
 */
@JsonIgnoreProperties({"chart", "failed"})
public record Results(
        String title,
        String answer,
        List<String> warnings,
        Environment where,
        List<Line> findings,
        List<Course> courses,
        List<String> end,
        Chart chart,
        boolean failed) {
    private static final int WIDTH = 76;

    /**
     * What a journal says.
     *
     * @param answer the sentence that the run is about; empty where the verdicts are
     * @param claims the rows that were asked for
     */
    public static Results of(String title, String answer, Journal journal, List<Claim> claims) {
        List<Line> findings =
                claims.stream().map(claim -> Line.of(claim, journal)).toList();
        List<String> end = controls(journal);
        end.addAll(completeness(journal, claims));
        return new Results(
                title,
                answer.isEmpty() ? headline(findings) : answer,
                warnings(journal),
                journal.header().where(),
                findings,
                Course.all(journal),
                end,
                Chart.of(findings),
                !journal.failures().isEmpty());
    }

    /** For the page: what changed over time, as pictures. */
    List<Curves> curves() {
        return Curves.of(courses);
    }

    /** For the terminal: the warnings, the answer, a line for each row under its heading, and what is missing. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>(warnings);
        lines.add(answer);
        lines.add("");
        List<String[]> rows = new ArrayList<>();
        rows.add(new String[] {"", "", "times better", "", ""});
        for (Line line : findings) {
            String id = line.claim().id();
            if (line.word().isEmpty()) {
                line.trials()
                        .forEach(row -> rows.add(new String[] {id, row.label(), row.ratio(), row.word(), row.pairs()}));
            } else {
                String statement = shortened(line.claim().statement(), WIDTH, "...");
                rows.add(new String[] {id, statement, line.ratio(), line.word(), ""});
            }
        }
        lines.addAll(aligned(rows));
        lines.add("");
        lines.addAll(end);
        return lines;
    }

    /** Rows of the same length as lines, with the columns one below the other. */
    private static List<String> aligned(List<String[]> rows) {
        StringBuilder format = new StringBuilder();
        for (int i = 0; i < rows.get(0).length; i++) {
            int column = i;
            int width =
                    rows.stream().mapToInt(row -> row[column].length()).max().orElse(0);
            format.append("%-").append(Math.max(1, width)).append("s  ");
        }
        return rows.stream()
                .map(row -> String.format(format.toString(), (Object[]) row).stripTrailing())
                .toList();
    }

    static String shortened(String text, int most, String end) {
        return text.length() <= most
                ? text
                : text.substring(0, most - end.length()).stripTrailing() + end;
    }

    private static String headline(List<Line> findings) {
        if (findings.stream().allMatch(line -> line.word().isEmpty())) {
            Map<Verdict, Long> counts = count(
                    findings.stream().flatMap(line -> line.scores().stream()).map(Score::verdict));
            return "Of " + counts.values().stream().mapToLong(Long::longValue).sum()
                    + " comparisons the base costs less in " + counts.getOrDefault(Verdict.REVERSED, 0L) + ", more in "
                    + counts.getOrDefault(Verdict.HOLDS, 0L) + "; the others are open, or there is no difference.";
        }
        Map<Verdict, Long> counts = count(findings.stream().map(line -> Verdict.valueOf(line.key())));
        long undecided = 0;
        List<String> words = new ArrayList<>();
        for (Map.Entry<Verdict, Long> verdict : counts.entrySet()) {
            undecided += verdict.getKey().isDecided() ? 0 : verdict.getValue();
            words.add(verdict.getValue() + " " + verdict.getKey());
        }
        return "Of " + findings.size() + " claims " + (findings.size() - undecided) + " are decided: "
                + String.join(", ", words) + ".";
    }

    private static Map<Verdict, Long> count(Stream<Verdict> verdicts) {
        return verdicts.collect(Collectors.groupingBy(verdict -> verdict, TreeMap::new, Collectors.counting()));
    }

    private static List<String> warnings(Journal journal) {
        List<Load> loads = new ArrayList<>();
        for (Played played : journal.played()) {
            if (played.load() != null) {
                loads.add(played.load());
            }
        }
        List<String> warnings = new ArrayList<>();
        int games = journal.played().size();
        if (loads.size() < games) {
            warnings.add("What others did on this machine meanwhile is not known here.");
        }
        long disturbed = loads.stream().filter(load -> !load.isQuiet()).count();
        if (disturbed > 0) {
            warnings.add(String.format(
                    Locale.ROOT,
                    "NOT A QUIET MACHINE: others used more than %.0f %% of it (%.0f %% and %.0f %% steal on average, load %.1f) during %d of"
                            + " %d games; %s.",
                    100 * Machine.BEARABLE,
                    100 * average(loads, Load::others),
                    100 * average(loads, Load::steal),
                    average(loads, Load::load),
                    disturbed,
                    games,
                    journal.header().busy()
                            ? "they count all the same, so this proves nothing"
                            : "these are left out"));
        }
        return warnings;
    }

    private static double average(List<Load> loads, ToDoubleFunction<Load> figure) {
        return loads.stream().mapToDouble(figure).average().orElse(0);
    }

    private static List<String> controls(Journal journal) {
        List<String> lines = new ArrayList<>();
        for (String cell : journal.header().controlled()) {
            Estimate cost = Score.of(journal, Trial.of(cell, Match.CONTROL, Question.EITHER))
                    .cost();
            String remark = cost.interval().holds(1)
                    ? ", as it should be."
                    : ": EXCLUDES 1, which chance does in one control of twenty.";
            lines.add("A/A control, " + cell + ": the base against itself is "
                    + (cost.isKnown() ? cost.text() + remark : "unknown."));
        }
        return lines;
    }

    /** How much of what was to be played has been, and what has not. */
    private static List<String> completeness(Journal journal, List<Claim> claims) {
        List<String> lines = new ArrayList<>();
        List<Trial> planned = journal.header().trials();
        List<Trial> missing = planned.stream()
                .filter(trial -> Score.of(journal, trial).pairs() == 0)
                .toList();
        lines.add((planned.size() - missing.size()) + " of " + planned.size() + " planned trials were played, in "
                + journal.size() + " slices.");
        if (!missing.isEmpty()) {
            String cells = missing.stream().map(Trial::cell).distinct().collect(Collectors.joining("; "));
            lines.add("Not run: " + cells + ".");
        }
        long behind = claims.stream()
                .flatMap(claim -> claim.trials(true).stream())
                .filter(trial -> !planned.contains(trial))
                .count();
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
