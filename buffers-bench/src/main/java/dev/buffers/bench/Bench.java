// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench;

import dev.buffers.bench.http.ServeCommand;
import dev.buffers.bench.run.AdviseCommand;
import dev.buffers.bench.run.ClaimsCommand;
import dev.buffers.bench.run.CompareCommand;
import dev.buffers.bench.run.PoolsCommand;
import dev.buffers.bench.run.ShowCommand;
import dev.buffers.bench.run.SoakCommand;
import dev.buffers.bench.run.Version;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The bench's main program; each command is a class. */
@Command(
        name = "bench",
        description = "Shows and measures what a pool of buffers does for a server.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        subcommands = {
            ShowCommand.class,
            AdviseCommand.class,
            ClaimsCommand.class,
            PoolsCommand.class,
            CompareCommand.class,
            ServeCommand.class,
            SoakCommand.class
        })
public final class Bench {
    private Bench() {}

    public static void main(String[] args) {
        System.exit(run(args));
    }

    /** Former names of commands, which still work and are in no help. */
    private static final Map<String, String> FORMER = Map.of("duet", "compare", "lanes", "pools");

    /** Runs one command and returns the status to exit with. */
    static int run(String... given) {
        String[] args = current(given);
        CommandLine program = new CommandLine(new Bench()).setCaseInsensitiveEnumValuesAllowed(true);
        program.setExecutionExceptionHandler((problem, command, parsed) -> {
            command.getErr().println("failed: " + problem);
            return command.getCommandSpec().exitCodeOnExecutionException();
        });
        program.setParameterExceptionHandler((problem, refused) -> {
            CommandLine command = problem.getCommandLine();
            command.getErr().println(problem.getMessage());
            CommandLine.UnmatchedArgumentException.printSuggestions(problem, command.getErr());
            command.getErr().println("Try: " + command.getCommandSpec().qualifiedName() + " --help");
            return command.getCommandSpec().exitCodeOnInvalidInput();
        });
        return program.execute(args);
    }

    /** With today's names in place of former ones: of the command, the first argument, and of an option of {@code serve}. */
    private static String[] current(String... given) {
        String[] args = given.clone();
        for (int i = 0; i < args.length; i++) {
            if (i == 0) {
                args[0] = FORMER.getOrDefault(args[0], args[0]);
            } else if (args[0].equals("serve")) {
                args[i] = args[i].replaceFirst("^--lane(?=$|=)", "--source");
            }
        }
        return args;
    }
}
