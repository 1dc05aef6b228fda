package dev.buffers.bench.duet;

import dev.buffers.bench.duet.SliceJournal.Header;
import dev.buffers.bench.duet.SliceJournal.Played;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** What a journal says, in lines of text. */
final class DuetReport {
    private DuetReport() {}

    /** How each challenger stands in each cell, without the controls. */
    static List<Score> scores(SliceJournal journal) {
        List<Score> scores = new ArrayList<>();
        for (Cell cell : journal.header().cells()) {
            for (Variant challenger : journal.header().challengers()) {
                scores.add(Score.of(journal, cell.name(), challenger.name()));
            }
        }
        return scores;
    }

    /** The base against itself. */
    static List<Score> controls(SliceJournal journal) {
        return journal.header().controlled().stream()
                .map(cell -> Score.of(journal, cell, Duet.CONTROL))
                .toList();
    }

    static List<String> lines(SliceJournal journal) {
        Header header = journal.header();
        List<String> lines = new ArrayList<>();
        machine(journal, lines);
        for (Score score : scores(journal)) {
            lines.add(score.cell() + ": " + answer(score, header));
            if (score.cpu().pairs() > 0) {
                lines.add("  " + figures(score, header));
            }
        }
        for (Score control : controls(journal)) {
            lines.add("A/A control, " + control.cell() + ": " + header.base().name() + " against itself is "
                    + ratio(control.cpu()) + remark(control.cpu()));
        }
        journal.failures().forEach(failure -> lines.add("failed: " + failure));
        lines.add(String.format(
                Locale.ROOT,
                "%s, %d cores, %s; %d slices of %s",
                header.where().processor(),
                header.where().cores(),
                header.where().java(),
                journal.slices().size(),
                clocks(journal)));
        return lines;
    }

    private static void machine(SliceJournal journal, List<String> lines) {
        List<Machine.Load> loads = journal.played().stream()
                .map(Played::load)
                .filter(Objects::nonNull)
                .map(Objects::requireNonNull)
                .toList();
        if (loads.size() < journal.played().size()) {
            lines.add("What others did on this machine meanwhile is not known here.");
        }
        long disturbed = loads.stream().filter(load -> !load.isQuiet()).count();
        if (disturbed > 0) {
            lines.add(String.format(
                    Locale.ROOT,
                    "NOT A QUIET MACHINE: others used more than %.0f %% of it (%.0f %% and %.0f %% steal on average, load %.1f) during %d of"
                            + " %d pairs; %s.",
                    100 * Machine.BEARABLE,
                    100
                            * loads.stream()
                                    .mapToDouble(Machine.Load::others)
                                    .average()
                                    .orElse(0),
                    100
                            * loads.stream()
                                    .mapToDouble(Machine.Load::steal)
                                    .average()
                                    .orElse(0),
                    loads.stream().mapToDouble(Machine.Load::load).average().orElse(0),
                    disturbed,
                    journal.played().size(),
                    journal.header().busy() ? "--busy counts them, so this proves nothing" : "these are left out"));
        }
    }

    private static String answer(Score score, Header header) {
        Question question = header.question();
        String name = score.challenger();
        String cost = "CPU of " + name + " to " + header.base().name() + " " + ratio(score.cpu());
        String word = switch (score.verdict()) {
            case OPEN -> "open (" + score.counted() + " of " + Looks.LAST + " pairs)";
            case WITHHELD -> "withheld (" + score.counted() + " undisturbed pairs of " + score.pairs() + ")";
            case HOLDS, REVERSED ->
                question.kind() != Question.Kind.EITHER
                        ? claim(question) + score.verdict()
                        : (score.verdict() == Verdict.HOLDS
                                        ? name
                                        : header.base().name()) + " costs less";
            default -> claim(question) + score.verdict();
        };
        return word + "; " + cost;
    }

    private static String claim(Question question) {
        return switch (question.kind()) {
            case EITHER -> "";
            case BETTER -> String.format(Locale.ROOT, "\"%.2f times better\" ", question.bound());
            case AT_MOST -> String.format(Locale.ROOT, "\"at most %.1f %% more\" ", 100 * (question.bound() - 1));
        };
    }

    private static String figures(Score score, Header header) {
        return String.format(
                Locale.ROOT,
                "%s %.2f and %s %.2f ns of CPU an operation; wall time %s; %d pairs, %d left out, %d not quite warm",
                header.base().name(),
                score.baseNanos(),
                score.challenger(),
                score.challengerNanos(),
                ratio(score.wall()),
                score.counted(),
                score.disturbed(),
                score.cold());
    }

    /** The ratio and its interval. */
    static String ratio(Estimate estimate) {
        Estimate.Interval interval = estimate.interval(Verdict.WRONG);
        return estimate.pairs() < 2
                ? "unknown"
                : String.format(Locale.ROOT, "%.3f [%.3f, %.3f]", estimate.ratio(), interval.low(), interval.high());
    }

    private static String remark(Estimate control) {
        if (control.pairs() < 2) {
            return "";
        }
        return control.interval(Verdict.WRONG).holds(1)
                ? ", as it should be"
                : ": EXCLUDES 1, which chance does in one control of twenty";
    }

    private static String clocks(SliceJournal journal) {
        return String.join(
                " or ",
                journal.played().stream()
                        .map(played -> played.slices().millis() + " ms by "
                                + (played.slices().threadClock() ? "schedstat" : "the process clock"))
                        .distinct()
                        .toList());
    }
}
