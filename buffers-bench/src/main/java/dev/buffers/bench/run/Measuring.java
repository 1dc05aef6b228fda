// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.run;

import dev.buffers.bench.harness.InterimAnalyses;
import dev.buffers.bench.report.Report;
import dev.buffers.bench.report.Results;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The common part of {@code show}, {@code advise}, {@code claims}, {@code pools} and {@code compare}: options, and a report at the end. */
@Command(mixinStandardHelpOptions = true, versionProvider = Version.class)
abstract class Measuring implements Callable<Integer> {
    /** The options and parameters that go with {@code --from}, in those commands that have them. */
    private static final List<String> WITH_FROM = List.of("ID", "--busy", "--json", "--report", "--rivals");

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(names = "--quick", description = "a smoke run: one pair of hardly any time, which proves nothing")
    boolean quick;

    @Option(
            names = "--report",
            paramLabel = "FOLDER",
            description = "where the report goes (default: buffers-bench/target/${COMMAND-NAME})")
    private @Nullable Path folder;

    @Option(names = "--json", description = "print the results as JSON")
    boolean json;

    final Run run(Duration limit, int mostPairs, int controls, boolean busy, boolean resume) {
        return new Run(limit, InterimAnalyses.FIRST, mostPairs, controls, busy, quick, resume);
    }

    final Path journal() {
        return report().resolve("journal.jsonl");
    }

    private Path report() {
        return folder == null ? Path.of("buffers-bench/target", spec.name()) : folder;
    }

    /** Writes the report, prints the results, and returns the status to exit with: 0, or 1 when something failed. */
    final int tell(Results results, boolean stopped) throws IOException {
        Path page = Report.write(results, report());
        if (stopped) {
            System.err.println("Ended early: this is the result so far"
                    + (spec.findOption("--resume") == null ? "." : "; --resume goes on with it."));
        }
        PrintWriter out = spec.commandLine().getOut();
        out.println(json ? Report.json(results) : String.join(System.lineSeparator(), results.lines()));
        out.flush();
        System.err.println("Report: " + page);
        return results.failed() ? ExitCode.SOFTWARE : ExitCode.OK;
    }

    /** Refuses options that a report made again from a journal would ignore. */
    final void checkFrom() {
        List<String> accepted =
                WITH_FROM.stream().filter(names(spec.args())::contains).toList();
        List<String> refused = names(spec.commandLine().getParseResult().matchedArgs());
        refused.removeAll(accepted);
        refused.remove("--from");
        check(
                refused.isEmpty(),
                String.join(", ", refused)
                        + " with --from: the journal has the workloads and the questions; accepted: "
                        + String.join(", ", accepted));
    }

    /** Of an option its name, of a parameter its label. */
    private static List<String> names(List<ArgSpec> args) {
        return args.stream()
                .map(arg -> arg instanceof OptionSpec option ? option.longestName() : arg.paramLabel())
                .distinct()
                .collect(Collectors.toCollection(ArrayList::new));
    }

    final void check(boolean right, String problem) {
        if (!right) {
            throw refusal(problem);
        }
    }

    final ParameterException refusal(String problem) {
        return new ParameterException(spec.commandLine(), problem);
    }
}
