// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.report;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.buffers.bench.claims.Claim;
import dev.buffers.bench.harness.Comparison;
import dev.buffers.bench.harness.Environment;
import dev.buffers.bench.harness.Estimate;
import dev.buffers.bench.harness.Journal;
import dev.buffers.bench.harness.Journal.Measured;
import dev.buffers.bench.harness.Machine.Load;
import dev.buffers.bench.harness.Question;
import dev.buffers.bench.harness.Score;
import dev.buffers.bench.harness.Trial;
import dev.buffers.bench.harness.Verdict;
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
 * @param answer the sentence that the report begins with; empty when the run proves nothing
 * @param settings to copy: a system property a line; empty where the defaults are best
 * @param warnings how other programs disturbed the run; empty when the machine was quiet
 * @param findings what became of each claim
 * @param end the A/A controls, and how complete this is
 * @param failed whether something failed
 */
@JsonIgnoreProperties({"charts", "failed"})
public record Results(
        String title,
        String answer,
        List<String> settings,
        List<String> warnings,
        Environment where,
        List<Line> findings,
        List<String> end,
        boolean failed) {
    private static final int ID_WIDTH = 24;
    private static final int PROGRAMS = 3;

    /** What a journal says, by its verdicts. */
    public static Results of(String title, Journal journal, List<Claim> claims) {
        return of(title, "", List.of(), journal, claims);
    }

    /**
     * What a journal says.
     *
     * @param answer the sentence that the run is about; empty where the verdicts are
     * @param settings to copy
     * @param claims the claims that were asked for
     */
    public static Results of(String title, String answer, List<String> settings, Journal journal, List<Claim> claims) {
        List<Line> findings =
                claims.stream().map(claim -> Line.of(claim, journal)).toList();
        List<String> end = controls(journal);
        end.addAll(completeness(journal, claims));
        boolean proves = !journal.header().isSmokeRun();
        return new Results(
                title,
                !proves ? "" : answer.isEmpty() ? headline(findings) : answer,
                proves ? settings : List.of(),
                warnings(journal),
                journal.header().where(),
                findings,
                end,
                !journal.failures().isEmpty());
    }

    /** For the page: bars where nothing is claimed, one picture of intervals for all claims; none of a run that proves nothing. */
    List<Chart> charts() {
        if (answer.isEmpty()) {
            return List.of();
        }
        List<Chart> charts = new ArrayList<>();
        findings.forEach(line -> line.standings().forEach(standing -> charts.add(Chart.bars(standing))));
        List<Line> claims = findings.stream()
                .filter(line -> !line.word().isEmpty() && !line.scores().isEmpty())
                .toList();
        if (!claims.isEmpty()) {
            charts.add(Chart.intervals(claims));
        }
        charts.removeIf(chart -> chart.marks().isEmpty());
        return charts;
    }

    /** For the page: whether anything is claimed. */
    boolean hasClaims() {
        return findings.stream().anyMatch(line -> !line.word().isEmpty());
    }

    /** For the terminal: the warnings, the answer, what to set, tables, and the missing measurements. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        warnings.forEach(warning -> lines.addAll(Terminal.wrapped(warning)));
        if (!answer.isEmpty()) {
            lines.addAll(Terminal.wrapped(answer));
        }
        settings.forEach(setting -> lines.add("    " + setting));
        for (Line line : findings) {
            for (Standing standing : line.standings()) {
                lines.add("");
                lines.addAll(Terminal.wrapped(standing.title() + "; ratios are to " + standing.base()));
                lines.addAll(aligned(table(standing)));
            }
        }
        findings.stream().filter(line -> !line.spreads().isEmpty()).forEach(line -> {
            lines.add("");
            lines.addAll(aligned(Spread.table(line.spreads())));
        });
        List<Line> claims =
                findings.stream().filter(line -> !line.word().isEmpty()).toList();
        if (!claims.isEmpty()) {
            lines.add("");
            lines.addAll(claims(claims));
        }
        lines.add("");
        end.forEach(line -> lines.addAll(Terminal.wrapped(line)));
        return lines;
    }

    private static List<String[]> table(Standing standing) {
        List<String[]> rows = new ArrayList<>();
        rows.add(new String[] {"", standing.measure(), "ratio", "95 % interval", "", "pairs"});
        for (Standing.Side side : standing.sides()) {
            rows.add(new String[] {side.name(), side.text(), side.ratio(), side.interval(), side.word(), side.pairs()});
        }
        return rows;
    }

    /** Each claim with its ratio and its verdict, and beneath it the statement. */
    private static List<String> claims(List<Line> claims) {
        List<String[]> rows = new ArrayList<>(List.<String[]>of(new String[] {"", "ratio", ""}));
        claims.forEach(line ->
                rows.add(new String[] {shortened(line.claim().id(), ID_WIDTH, "..."), line.ratio(), line.word()}));
        List<String> aligned = aligned(rows);
        List<String> lines = new ArrayList<>(aligned.subList(0, 1));
        for (int i = 0; i < claims.size(); i++) {
            lines.addAll(Terminal.wrapped(aligned.get(i + 1)));
            lines.addAll(Terminal.wrapped("    ", claims.get(i).claim().statement()));
        }
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
            return decided(
                    counts.getOrDefault(Verdict.REVERSED, 0L),
                    counts.getOrDefault(Verdict.HOLDS, 0L),
                    counts.values().stream().mapToLong(Long::longValue).sum());
        }
        if (findings.size() == 1) {
            return findings.get(0).claim().id() + ": " + findings.get(0).word() + ".";
        }
        Map<Verdict, Long> counts = count(findings.stream().map(line -> Verdict.valueOf(line.key())));
        long decided = 0;
        List<String> words = new ArrayList<>();
        for (Map.Entry<Verdict, Long> verdict : counts.entrySet()) {
            decided += verdict.getKey().isDecided() ? verdict.getValue() : 0;
            words.add(verdict.getKey() + " " + verdict.getValue());
        }
        return decided + " of " + findings.size() + " claims are decided. Verdicts: " + String.join(", ", words) + ".";
    }

    /** Than how many of all alternatives the base costs less, and more. */
    private static String decided(long less, long more, long all) {
        if (less + more == 0) {
            return all == 1
                    ? "The alternative is not known to cost less or more than the base."
                    : "None of " + all + " alternatives is known to cost less or more than the base.";
        }
        String of = " of " + all + (all == 1 ? " alternative" : " alternatives");
        String counted = Stream.of(less == 0 ? "" : "less than " + less, more == 0 ? "" : "more than " + more)
                .filter(words -> !words.isEmpty())
                .collect(Collectors.joining(of + ", "));
        long others = all - less - more;
        return "The base costs " + (less > 0 && more > 0 ? counted : counted + of)
                + (others == 0
                        ? ""
                        : "; " + others
                                + (others == 1
                                        ? " is open, or makes no difference"
                                        : " are open, or make no difference"))
                + ".";
    }

    private static Map<Verdict, Long> count(Stream<Verdict> verdicts) {
        return verdicts.collect(Collectors.groupingBy(verdict -> verdict, TreeMap::new, Collectors.counting()));
    }

    private static List<String> warnings(Journal journal) {
        List<String> warnings = new ArrayList<>();
        if (journal.header().isSmokeRun()) {
            warnings.add("A smoke run, too short for its figures to mean anything.");
        }
        List<Load> loads = new ArrayList<>();
        for (Measured measured : journal.measured()) {
            if (measured.load() != null) {
                loads.add(measured.load());
            }
        }
        int pairs = journal.measured().size();
        if (loads.size() < pairs) {
            warnings.add("The load of other programs on this machine is not known here.");
        }
        long disturbed = loads.stream().filter(load -> !load.isQuiet()).count();
        if (disturbed > 0) {
            warnings.add(String.format(
                    Locale.ROOT,
                    "Others used %.0f %% of this machine (load %.1f). %d of %d pairs were disturbed: %s.%s",
                    100 * average(loads, load -> load.others() + load.steal()),
                    average(loads, Load::load),
                    disturbed,
                    pairs,
                    journal.header().busy()
                            ? "they count, with a wider interval"
                            : "they are left out, and --busy counts them with a wider interval",
                    toClose(loads)));
        }
        return warnings;
    }

    /** The busiest programs, by their average share over all pairs. */
    private static String toClose(List<Load> loads) {
        Map<String, Double> shares = new TreeMap<>();
        loads.forEach(load -> load.busiest().forEach((name, share) -> shares.merge(name, share, Double::sum)));
        String programs = shares.entrySet().stream()
                .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
                .limit(PROGRAMS)
                .map(program -> String.format(
                        Locale.ROOT, "%s (%.0f %%)", program.getKey(), 100 * program.getValue() / loads.size()))
                .collect(Collectors.joining("; "));
        return programs.isEmpty() ? "" : " To close: " + programs + ".";
    }

    private static double average(List<Load> loads, ToDoubleFunction<Load> figure) {
        return loads.stream().mapToDouble(figure).average().orElse(0);
    }

    private static List<String> controls(Journal journal) {
        List<String> lines = new ArrayList<>();
        for (String cell : journal.header().controlled()) {
            Estimate cost = Score.of(journal, Trial.of(cell, Comparison.CONTROL, Question.EITHER))
                    .cost();
            String remark = cost.interval().holds(1)
                    ? ", as it should be."
                    : ": EXCLUDES 1, which chance does in one control of twenty.";
            lines.add("A/A control, " + cell + ": the base against itself is "
                    + (cost.isKnown() ? cost.text() + remark : "unknown."));
        }
        return lines;
    }

    /** How much of the planned measurements is done, and which are missing. */
    private static List<String> completeness(Journal journal, List<Claim> claims) {
        List<String> lines = new ArrayList<>();
        List<Trial> planned = journal.header().trials();
        List<Trial> missing = planned.stream()
                .filter(trial -> Score.of(journal, trial).pairs() == 0)
                .toList();
        lines.add((planned.size() - missing.size()) + " of " + planned.size()
                + " planned comparisons were measured, in " + journal.size() + " turns.");
        if (!missing.isEmpty()) {
            String cells = missing.stream().map(Trial::cell).distinct().collect(Collectors.joining("; "));
            lines.add("Not run: " + cells + ".");
        }
        long behind = claims.stream()
                .flatMap(claim -> claim.trials(true).stream())
                .filter(trial -> !planned.contains(trial))
                .count();
        if (behind > 0) {
            lines.add(behind + " more comparisons of these claims, at other sizes and against others, run with --all.");
        }
        claims.stream()
                .filter(claim -> !claim.obstacle().isEmpty())
                .forEach(claim -> lines.add("Not measurable here: " + claim.id() + ", " + claim.obstacle() + "."));
        journal.failures().forEach(failure -> lines.add("Failed: " + failure + "."));
        return lines;
    }
}
