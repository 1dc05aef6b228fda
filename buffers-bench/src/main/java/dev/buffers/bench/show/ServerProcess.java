package dev.buffers.bench.show;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.buffers.bench.Bench;
import dev.buffers.bench.http.ServeCommand;
import dev.buffers.bench.http.ServerNumbers;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A server in a JVM of its own, which ends when it is closed or when this process ends, however it ends. */
final class ServerProcess implements AutoCloseable {

    /** What every server's JVM is told. */
    static final List<String> FLAGS = List.of("-XX:+UseG1GC", "-Xms256m", "-Xmx256m", "-XX:MaxDirectMemorySize=256m");

    private static final long PATIENCE_SECONDS = 30;
    private static final long FAREWELL_SECONDS = 5;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final String name;
    private final Process process;
    private final BufferedReader out;
    private final int port;

    private ServerProcess(String name, Process process) throws IOException, InterruptedException {
        this.name = name;
        this.process = process;
        this.out = process.inputReader(StandardCharsets.UTF_8);
        String line = line();
        if (!line.startsWith(ServeCommand.READY)) {
            throw new IOException(name + ": the server said: " + line);
        }
        this.port = Integer.parseInt(line.replaceAll("\\D+", " ").strip().replaceAll(".* ", ""));
    }

    /** Starts a server on {@code root} with its pool set by {@code jvmArguments}, and waits until it is ready. */
    static ServerProcess start(String name, String source, List<String> jvmArguments, Path root)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(FLAGS);
        command.addAll(jvmArguments);
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(Bench.class.getName(), "serve", "--control"));
        command.addAll(List.of("--lane", source, "--root", root.toString()));
        Process process =
                new ProcessBuilder(command).redirectError(Redirect.INHERIT).start();
        try {
            return new ServerProcess(name, process);
        } catch (IOException | InterruptedException | RuntimeException e) {
            process.destroyForcibly();
            throw e;
        }
    }

    int port() {
        return port;
    }

    long pid() {
        return process.pid();
    }

    /** Asks the server what it has used and what it holds. */
    ServerNumbers numbers() throws IOException, InterruptedException {
        process.outputWriter(StandardCharsets.UTF_8).append('\n').flush();
        return JSON.readValue(line(), ServerNumbers.class);
    }

    /** The server's next line; a server that dies or keeps silent is an error. */
    private String line() throws IOException, InterruptedException {
        CompletableFuture<@Nullable String> line = CompletableFuture.supplyAsync(() -> {
            try {
                return out.readLine();
            } catch (IOException e) {
                return null;
            }
        });
        try {
            String text = line.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            if (text == null) {
                throw new IOException(name + ": the server ended");
            }
            return text;
        } catch (TimeoutException | ExecutionException e) {
            throw new IOException(name + ": no answer from the server", e);
        }
    }

    /** Ends the server by ending its input, or by force when that does not help. */
    @Override
    public void close() {
        try {
            process.outputWriter(StandardCharsets.UTF_8).close();
        } catch (IOException e) {
            // it has ended already
        }
        try {
            if (!process.waitFor(FAREWELL_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
