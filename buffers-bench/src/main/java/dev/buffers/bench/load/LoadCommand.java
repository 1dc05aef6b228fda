package dev.buffers.bench.load;

import dev.buffers.bench.run.Version;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Puts a load on a server that runs already, and prints what came of it. */
@Command(
        name = "load",
        description = "Asks a server on the loopback interface for files and checks every answer.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        showDefaultValues = true)
public final class LoadCommand implements Callable<Integer> {
    @Option(names = "--root", required = true, description = "the folder that the server serves")
    private @Nullable Path root;

    @Option(names = "--port", required = true, description = "the server's")
    private int port;

    @Option(names = "--connections", description = "open at the same time", defaultValue = "64")
    private int connections;

    @Option(names = "--threads", description = "of the load generator", defaultValue = "2")
    private int threads;

    @Option(names = "--seconds", description = "how long requests are sent", defaultValue = "10")
    private double seconds;

    @Option(names = "--responses", description = "after which it ends sooner", defaultValue = "9223372036854775807")
    private long responses;

    @Option(
            names = "--rate",
            description = "requests a second, whatever the server does; 0 for as fast as it answers",
            defaultValue = "0")
    private double rate;

    @Override
    public Integer call() throws IOException, InterruptedException {
        Documents documents = Documents.of(Objects.requireNonNull(root));
        Duration time = Duration.ofMillis(Math.round(seconds * 1000));
        LoadPlan plan = new LoadPlan(connections, threads, time, responses, rate, true);
        LoadResult result = new HttpLoad(documents).run(plan, port);
        System.out.printf(
                Locale.ROOT,
                "%d answers, all right; %.0f/s, %.1f MiB/s; us at 50/99/99.9/100 %%: %.0f %.0f %.0f %.0f; %d connections%n",
                result.responses(),
                result.rate(),
                result.bytes() / result.seconds() / (1 << 20),
                result.latencyMicros(50),
                result.latencyMicros(99),
                result.latencyMicros(99.9),
                result.latencyMicros(100),
                result.connects());
        return 0;
    }
}
