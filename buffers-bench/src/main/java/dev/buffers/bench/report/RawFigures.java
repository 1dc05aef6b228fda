package dev.buffers.bench.report;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.buffers.bench.claims.Claim;
import dev.buffers.bench.claims.Experiment;
import dev.buffers.bench.claims.Finding;
import dev.buffers.bench.claims.Finding.TrialFinding;
import dev.buffers.bench.claims.Measured;
import dev.buffers.bench.claims.Point;
import dev.buffers.bench.claims.Results;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** All figures of all forks and what the rule says of them as JSON, always in the same order, so that two runs can be compared line by line. */
final class RawFigures {
    private static final int INDENTED_LEVELS = 3;

    private RawFigures() {}

    static void write(Results results, Path file) throws IOException {
        DefaultPrettyPrinter printer = new DefaultPrettyPrinter();
        printer.indentObjectsWith(new OuterLines());
        printer.indentArraysWith(new OuterLines());
        Files.write(file, new ObjectMapper().writer(printer).writeValueAsBytes(tree(results)));
    }

    private static Map<String, Object> tree(Results results) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("environment", results.environment());
        tree.put("depth", results.depth().toString());
        tree.put("rounds", results.rounds());
        tree.put(
                "experiments",
                results.catalogue().experiments().values().stream()
                        .map(RawFigures::experiment)
                        .toList());
        tree.put("points", points(results));
        tree.put(
                "findings", results.findings().stream().map(RawFigures::finding).toList());
        return tree;
    }

    private static Map<String, Object> experiment(Experiment experiment) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("id", experiment.id());
        tree.put("question", experiment.question());
        tree.put("figures", experiment.figures());
        return tree;
    }

    /** What was planned or measured, by name. */
    private static List<Map<String, Object>> points(Results results) {
        TreeSet<Point> points = new TreeSet<>(results.planned());
        points.addAll(results.measured().points());
        return points.stream().map(point -> point(point, results)).toList();
    }

    private static Map<String, Object> point(Point point, Results results) {
        Measured measured = results.measured();
        Map<String, double[]> figures = new TreeMap<>();
        measured.figures(point).forEach(figure -> figures.put(figure, measured.forks(point, figure)));
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("experiment", point.experiment());
        tree.put("parameters", point.parameters());
        Experiment experiment = results.catalogue().experiments().get(point.experiment());
        if (figures.isEmpty() && experiment != null) {
            tree.put("missing", experiment.notMeasurable(point).orElse("not run"));
        }
        tree.put("figures", figures);
        return tree;
    }

    private static Map<String, Object> finding(Finding finding) {
        Claim claim = finding.claim();
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("id", claim.id());
        tree.put("statement", claim.statement());
        tree.put("source", claim.source());
        tree.put("then", claim.then());
        tree.put("since", claim.since());
        tree.put("verdict", finding.verdict().toString());
        tree.put("trials", finding.trials().stream().map(RawFigures::trial).toList());
        return tree;
    }

    private static Map<String, Object> trial(TrialFinding finding) {
        Claim.Trial trial = finding.trial();
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("label", trial.label());
        tree.put("claimant", trial.claimant().toString());
        tree.put("other", trial.other().toString());
        tree.put("figure", trial.figure());
        tree.put("kind", trial.kind());
        tree.put("threshold", trial.threshold());
        tree.put("scale", trial.scale());
        tree.put("verdict", finding.verdict().toString());
        if (finding.ratio() == null) {
            tree.put("why", finding.why());
        } else {
            tree.put("ratio", finding.ratio());
        }
        return tree;
    }

    /** Lines down to a point's and a trial's own fields; what is in those stays on one line. */
    private static final class OuterLines extends DefaultIndenter {
        private static final long serialVersionUID = 1;

        @Override
        public void writeIndentation(JsonGenerator out, int level) throws IOException {
            if (level <= INDENTED_LEVELS) {
                super.writeIndentation(out, level);
            } else {
                out.writeRaw(' ');
            }
        }
    }
}
