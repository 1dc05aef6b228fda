package dev.buffers.bench.http;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.buffers.bench.Bench;
import dev.buffers.bench.jvm.ChildJvm;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A server in a JVM of its own, which ends when it is closed or when this process ends, however it ends. */
public final class ServerProcess implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final ChildJvm jvm;
    private final int port;
    private final Optional<String> metrics;

    private ServerProcess(String name, ChildJvm jvm) throws IOException, InterruptedException {
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

    ChildJvm jvm() {
        return jvm;
    }

    public int port() {
        return port;
    }

    /** Where its meters are shown, when it was asked to show them. */
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

    @Override
    public void close() {
        jvm.close();
    }
}
