package dev.buffers.bench;

import dev.buffers.bench.http.ServeCommand;
import dev.buffers.bench.load.LoadCommand;
import dev.buffers.bench.run.AdviseCommand;
import dev.buffers.bench.run.ClaimsCommand;
import dev.buffers.bench.run.DuetCommand;
import dev.buffers.bench.run.LanesCommand;
import dev.buffers.bench.run.ShowCommand;
import dev.buffers.bench.run.Version;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The bench's main program; each of its commands is a class of its own. */
@Command(
        name = "bench",
        description = "Shows and measures what a pool of buffers does for a server.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        subcommands = {
            ShowCommand.class,
            AdviseCommand.class,
            ClaimsCommand.class,
            LanesCommand.class,
            DuetCommand.class,
            ServeCommand.class,
            LoadCommand.class,
            Bench.Jmh.class
        })
public final class Bench {
    private Bench() {}

    public static void main(String[] args) {
        System.exit(run(args));
    }

    /** Runs one command and returns the status to exit with. */
    static int run(String... args) {
        CommandLine program = new CommandLine(new Bench()).setCaseInsensitiveEnumValuesAllowed(true);
        program.getSubcommands().values().stream()
                .filter(command -> command.getCommand() instanceof Jmh)
                .forEach(command -> command.setUnmatchedOptionsArePositionalParams(true));
        program.setExecutionExceptionHandler((problem, command, parsed) -> {
            command.getErr().println("failed: " + problem);
            return command.getCommandSpec().exitCodeOnExecutionException();
        });
        return program.execute(args);
    }

    /** Hands everything on to JMH. */
    @Command(name = "jmh", description = "Runs the JMH lanes; all arguments are JMH's (try -l or -h).")
    static final class Jmh implements Callable<Integer> {
        @Parameters(arity = "0..*")
        private List<String> arguments = List.of();

        @Override
        public Integer call() throws IOException {
            org.openjdk.jmh.Main.main(arguments.toArray(String[]::new));
            return 0;
        }
    }
}
