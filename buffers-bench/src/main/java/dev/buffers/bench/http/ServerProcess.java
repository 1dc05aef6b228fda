package dev.buffers.bench.http;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.buffers.bench.Bench;
import dev.buffers.bench.jvm.ChildJvm;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A server in a JVM of its own, which ends when it is closed or when this process ends, however it ends. */
public final class ServerProcess implements AutoCloseable {
    private static final long CALM_SECONDS = 5;
    private static final long LOOK_MILLIS = 2;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final String name;
    private final ChildJvm jvm;
    private final int port;
    private final Optional<String> metrics;

    private ServerProcess(String name, ChildJvm jvm) throws IOException, InterruptedException {
        this.name = name;
        this.jvm = jvm;
        String line = jvm.line();
        boolean shown = line.startsWith(ServeCommand.METRICS);
        this.metrics = shown ? Optional.of(line.substring(ServeCommand.METRICS.length())) : Optional.empty();
        if (shown) {
            line = jvm.line();
        }
        if (!line.startsWith(ServeCommand.READY)) {
            throw new IOException(name + ": the server said: " + line);
        }
        this.port = Integer.parseInt(line.replaceAll("\\D+", " ").strip().replaceAll(".* ", ""));
    }

    /**
     * Starts a server on {@code root} and waits until it is ready.
     *
     * @param jvmArguments which may set the pool
     * @param options of {@link ServeCommand}
     */
    public static ServerProcess start(String name, List<String> jvmArguments, Path root, List<String> options)
            throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of("serve", "--control", "--root", root.toString()));
        arguments.addAll(options);
        ChildJvm jvm = ChildJvm.start(name, jvmArguments, Bench.class, arguments);
        try {
            return new ServerProcess(name, jvm);
        } catch (IOException | InterruptedException | RuntimeException e) {
            jvm.close();
            throw e;
        }
    }

    /** Ends it by force if it still runs after this time. */
    public void endAfter(Duration limit) {
        jvm.endAfter(limit);
    }

    ChildJvm jvm() {
        return jvm;
    }

    public int port() {
        return port;
    }

    /** Where its meters are shown, when it was told to show them. */
    public Optional<String> metrics() {
        return metrics;
    }

    public long pid() {
        return jvm.pid();
    }

    /** Asks the server what it has used and what it holds. */
    public ServerNumbers numbers() throws IOException, InterruptedException {
        return JSON.readValue(jvm.ask(), ServerNumbers.class);
    }

    /** The same once the last connection is closed, when the server must hold no buffer and must not have failed. */
    public ServerNumbers numbersAtRest() throws IOException, InterruptedException {
        long patience = System.nanoTime() + TimeUnit.SECONDS.toNanos(CALM_SECONDS);
        ServerNumbers numbers = numbers();
        while (numbers.connections() > 0 || numbers.leasedBytes() > 0) {
            if (System.nanoTime() - patience > 0) {
                throw new IOException(name
                        + ": not given back: connections="
                        + numbers.connections()
                        + ", leased bytes="
                        + numbers.leasedBytes());
            }
            Thread.sleep(LOOK_MILLIS);
            numbers = numbers();
        }
        if (numbers.failures() > 0) {
            throw new IOException(name + ": the server failed: failures=" + numbers.failures());
        }
        return numbers;
    }

    @Override
    public void close() {
        jvm.close();
    }
}
