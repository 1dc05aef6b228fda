package dev.buffers.bench.show;

import dev.buffers.bench.figures.Environment;
import dev.buffers.bench.figures.Progress;
import dev.buffers.bench.jvm.ChildJvm;
import dev.buffers.bench.load.Documents;
import dev.buffers.bench.load.LoadGenerator;
import dev.buffers.bench.load.SampleFiles;
import dev.buffers.bench.metrics.MetricsPort;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The main job: finds out which policy serves this machine best, and says so. */
@Command(
        name = "show",
        description = {
            "Compares servers under each policy, and without a pool, and recommends a policy.",
            "Set by system properties: show.root (a folder to serve), show.seconds, show.rounds, show.report (a folder for the",
            "report), show.quick=true (a smoke run), show.metrics (a port, as --metrics)."
        },
        mixinStandardHelpOptions = true)
public final class ShowCommand implements Callable<Integer> {
    private static final String DEFAULT_REPORT = "buffers-bench/target/show";

    private final PrintStream out = System.out;

    @Option(
            names = MetricsPort.OPTION,
            arity = "0..1",
            paramLabel = "PORT",
            fallbackValue = "0",
            converter = MetricsPort.Converter.class,
            description =
                    "let a Prometheus server look on: each policy's server shows the meters of its pool and its JVM at"
                            + " /metrics on a loopback port of its own while it runs; PORT is the first one's, the others take the next"
                            + " ones; 0, or no PORT, is any free one for each; the addresses are printed")
    private @Nullable MetricsPort metrics;

    @Override
    public Integer call() throws IOException, InterruptedException {
        String root = property("show.root");
        if (!root.isEmpty()) {
            compare(Path.of(root));
            return 0;
        }
        try (SampleFiles files = SampleFiles.create()) {
            compare(files.folder());
        }
        return 0;
    }

    private void compare(Path root) throws IOException, InterruptedException {
        List<Lane> lanes = List.of(Lane.values());
        boolean quick = Boolean.parseBoolean(property("show.quick"));
        ShowPlan plan = quick ? ShowPlan.quick(lanes.size()) : ShowPlan.fromProperties(lanes.size());
        Documents documents = Documents.of(root);
        out.printf(
                "%d servers, %d rounds, %d files of %,d bytes in all, %,.0f bytes to the mean answer%n",
                lanes.size(), plan.rounds(), documents.all().size(), documents.bytes(), documents.meanSize());
        try (Servers servers = new Servers(metrics())) {
            Runtime.getRuntime().addShutdownHook(new Thread(servers::close));
            Progress progress = new Progress(out, plan.seconds(lanes.size()));
            Contest contest = new Contest(servers, lanes, new LoadGenerator(documents), plan, progress);
            contest.begin(root);
            contest.closedRounds();
            double rate = contest.openRate();
            out.printf("open loop: %,.0f requests/s to every server, 60 %% of the slowest's rate%n", rate);
            contest.openRounds(rate);
            tell(new Results(
                    Environment.here(ChildJvm.FLAGS),
                    plan,
                    new Results.Files(root.toString(), documents.all().size(), documents.bytes(), documents.meanSize()),
                    rate,
                    contest.measurements(),
                    Recommendation.of(contest.measurements())));
        }
    }

    private void tell(Results results) throws IOException {
        out.println();
        Table.lines(results).forEach(out::println);
        out.println("Medians of the rounds; ± half the distance between the least and the greatest.");
        out.println();
        Recommendation recommendation = results.recommendation();
        out.println("Recommended: " + recommendation.setting() + ", " + recommendation.reason());
        recommendation.details().forEach(out::println);
        if (results.plan().quick()) {
            out.println("This was a smoke run, too short for its figures to mean anything.");
        }
        String folder = property("show.report");
        Path page = Report.write(results, Path.of(folder.isEmpty() ? DEFAULT_REPORT : folder));
        out.println("Report: " + page);
    }

    private @Nullable MetricsPort metrics() {
        String port = property("show.metrics");
        return metrics == null && !port.isEmpty() ? MetricsPort.of(port) : metrics;
    }

    private static String property(String key) {
        return System.getProperty(key, "").strip();
    }
}
