package dev.buffers.bench.advise;

import dev.buffers.bench.claims.Campaign;
import dev.buffers.bench.claims.Catalogue;
import dev.buffers.bench.claims.Depth;
import dev.buffers.bench.claims.Experiment;
import dev.buffers.bench.claims.Family;
import dev.buffers.bench.claims.Interruption;
import dev.buffers.bench.claims.Journal;
import dev.buffers.bench.claims.Measured;
import dev.buffers.bench.claims.Point;
import dev.buffers.bench.figures.Environment;
import dev.buffers.bench.figures.Progress;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures for about two minutes what matters for the choice of a policy, and says what to set. */
@Command(
        name = "advise",
        description = {
            "Measures each policy in a few uses, for about two minutes, and says what to set on this machine.",
            "Ctrl-C ends it and tells what is known so far. The progress goes to the standard error."
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:the advice was given",
            "1:it failed",
            "2:the options are wrong, or a file would be overwritten"
        },
        mixinStandardHelpOptions = true)
public final class AdviseCommand implements Callable<Integer> {
    static final int ROUNDS = 5;

    private static final String FILE_NAME = "buffers.properties";

    private final Function<Boolean, Family> uses;
    private final PrintStream out;
    private final PrintStream err;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(names = "--quick", description = "A smoke run of some seconds, whose figures mean nothing.")
    private boolean quick;

    @Option(names = "--json", description = "Tell the results as JSON.")
    private boolean json;

    @Option(
            names = "--write",
            paramLabel = "FILE",
            description = "Write the settings to this file. The library reads it if it is called " + FILE_NAME
                    + " and is at the root of the class path.")
    private @Nullable Path file;

    @Option(names = "--force", description = "With --write: even if there is such a file.")
    private boolean force;

    public AdviseCommand() {
        this(Uses::new, System.out, System.err);
    }

    /**
     * With other uses.
     *
     * @param uses given whether it is a smoke run
     */
    AdviseCommand(Function<Boolean, Family> uses, PrintStream out, PrintStream err) {
        this.uses = uses;
        this.out = out;
        this.err = err;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        checkOptions();
        Map<String, Experiment> experiments = new Catalogue(List.of(uses.apply(quick))).experiments();
        List<Point> points = experiments.values().stream()
                .flatMap(experiment -> experiment.points(Depth.QUICK).stream())
                .toList();
        Journal journal = Journal.none();
        int rounds = quick ? 1 : ROUNDS;
        Campaign campaign = new Campaign(experiments, points, rounds, journal);
        Interruption interruption = Interruption.stops(campaign);
        try {
            campaign.run(new Progress(err, campaign.seconds()));
            Measured measured = journal.measured();
            checkAnything(measured, campaign);
            AdviceReport report = new AdviceReport(
                    Environment.here(List.of()), quick, rounds, Advice.of(experiments.values(), measured));
            tell(report);
            if (file != null && !campaign.isStopped()) {
                write(file, report);
            }
        } finally {
            interruption.answered();
        }
        return 0;
    }

    /** Before any time is spent. */
    private void checkOptions() {
        if (file == null) {
            if (force) {
                throw wrong("--force without --write");
            }
        } else if (Files.isDirectory(file)) {
            throw wrong("a folder: --write=" + file);
        } else if (Files.exists(file) && !force) {
            throw wrong("there is such a file, and no --force: --write=" + file);
        } else if (!Files.isDirectory(file.toAbsolutePath().resolveSibling("."))) {
            throw wrong("no such folder: --write=" + file);
        }
    }

    private ParameterException wrong(String what) {
        return new ParameterException(spec.commandLine(), what);
    }

    private static void checkAnything(Measured measured, Campaign campaign) throws IOException {
        if (measured.points().isEmpty() && !campaign.isStopped()) {
            throw new IOException("nothing could be measured: " + measured.failures());
        }
    }

    private void tell(AdviceReport report) throws IOException {
        if (json) {
            out.println(report.json());
        } else {
            report.lines().forEach(out::println);
        }
        out.flush();
    }

    private void write(Path file, AdviceReport report) throws IOException {
        if (force) {
            Files.write(file, report.properties());
        } else {
            Files.write(file, report.properties(), StandardOpenOption.CREATE_NEW);
        }
        err.println("Written: " + file);
        if (!file.endsWith(FILE_NAME)) {
            err.println("The library reads it only if it is called " + FILE_NAME + ".");
        }
    }
}
