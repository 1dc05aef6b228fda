package dev.buffers.bench.advise;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.buffers.bench.figures.Environment;
import dev.buffers.bench.figures.Ratio;
import dev.buffers.bench.figures.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What is told: to people, to programs, and to the library itself.
 *
 * @param quick whether it was a smoke run
 * @param rounds how many were planned
 */
@JsonPropertyOrder({"environment", "quick", "rounds", "complete", "advice"})
record AdviceReport(Environment environment, boolean quick, int rounds, Advice advice) {
    private static final String MEANS_NOTHING = "This was a smoke run, too short for its figures to mean anything.";

    /** Whether all that was planned was measured. */
    @JsonProperty
    boolean complete() {
        return advice.uses().stream()
                .flatMap(use -> use.standings().stream())
                .allMatch(standing -> standing.forks().size() == rounds);
    }

    /** For people. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        for (UseAdvice use : advice.uses()) {
            lines.add(use.use() + ": " + use.question());
            use.standings().forEach(standing -> lines.add("  " + line(standing, use.unit())));
            lines.add("  " + sentence(use));
            lines.add("");
        }
        lines.add(advice.conclusion());
        lines.addAll(warnings());
        return lines;
    }

    private static String sentence(UseAdvice use) {
        return use.setting() + ", " + use.reason() + ".";
    }

    private static String line(Standing standing, String unit) {
        Double median = standing.median();
        String figure = median == null ? "not measured" : String.format(Locale.ROOT, "%,.0f %s", median, unit);
        String line = String.format(Locale.ROOT, "%-12s %18s", standing.policy(), figure);
        Ratio ratio = standing.ratio();
        if (ratio == null) {
            return standing.isDefault() ? line + "   the default" : line;
        }
        if (standing.tooFew()) {
            return String.format(Locale.ROOT, "%s   x %.2f, too few rounds to tell", line, ratio.estimate());
        }
        return String.format(
                Locale.ROOT,
                "%s   x %.2f (%.2f to %.2f), %s",
                line,
                ratio.estimate(),
                ratio.low(),
                ratio.high(),
                word(standing.verdict()));
    }

    private static String word(Verdict betterThanTheDefault) {
        return switch (betterThanTheDefault) {
            case HOLDS -> "better";
            case REVERSED -> "worse";
            case NO_DIFFERENCE -> "no difference";
            default -> "within the noise";
        };
    }

    private List<String> warnings() {
        List<String> warnings = new ArrayList<>();
        if (!complete()) {
            warnings.add("Not all of it was measured: this is what is known so far.");
        }
        if (quick) {
            warnings.add(MEANS_NOTHING);
        }
        return warnings;
    }

    /** For programs. */
    String json() throws JsonProcessingException {
        return new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValueAsString(this);
    }

    /** For the library: the lines of {@code buffers.properties}. */
    List<String> properties() {
        List<String> lines = new ArrayList<>();
        lines.add("# Written by \"bench advise\" on " + environment.when() + ": " + environment.java() + ", "
                + environment.processor() + ", " + environment.cores() + " cores");
        warnings().forEach(warning -> lines.add("# " + warning));
        advice.uses().forEach(use -> lines.add("# " + use.use() + ": " + use.policy() + ", " + use.reason()));
        advice.settings().forEach((key, value) -> lines.add(key + "=" + value));
        return lines;
    }
}
