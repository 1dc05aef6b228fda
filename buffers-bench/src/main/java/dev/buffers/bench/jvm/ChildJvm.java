// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.jvm;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A JVM that runs another main class of the bench, and answers each line of its input with a line of its output. Its program has
 * to end when its input ends: the system closes that pipe however this process ends.
 */
public final class ChildJvm implements AutoCloseable {

    /**
     * The options of every server's JVM. A method that is due to be compiled waits for that (-Xbatch): in the background, beside a load
     * that takes all of the machine, the same takes four times as long, and ends at another time in each JVM.
     */
    public static final List<String> FLAGS =
            List.of("-XX:+UseG1GC", "-Xms256m", "-Xmx256m", "-XX:MaxDirectMemorySize=256m", "-Xbatch");

    private static final long PATIENCE_SECONDS = 300;
    private static final long EXIT_SECONDS = 5;

    private final String name;
    private final Process process;
    private final BufferedReader out;

    private ChildJvm(String name, Process process) {
        this.name = name;
        this.process = process;
        this.out = process.inputReader(StandardCharsets.UTF_8);
    }

    /** Starts {@code main} with {@link #FLAGS} and {@code jvmArguments}, on this JVM's Java and class path. */
    public static ChildJvm start(String name, List<String> jvmArguments, Class<?> main, List<String> arguments)
            throws IOException {
        List<String> all = new ArrayList<>(FLAGS);
        all.addAll(jvmArguments);
        return start(name, all, System.getProperty("java.class.path"), main, arguments.toArray(String[]::new));
    }

    /** Starts {@code main} on this JVM's Java with these options alone. */
    public static ChildJvm start(
            String name, List<String> jvmArguments, String classPath, Class<?> main, String... arguments)
            throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmArguments);
        command.addAll(List.of("-cp", classPath, main.getName()));
        command.addAll(List.of(arguments));
        return new ChildJvm(
                name,
                new ProcessBuilder(command).redirectError(Redirect.INHERIT).start());
    }

    public long pid() {
        return process.pid();
    }

    /** The CPU time that it has used so far; none when it has ended. */
    public Duration cpu() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /** For its program: prints a first line, then answers each line of the input with one line of JSON, until the input ends. */
    public static void answer(String first, Answers answers) throws IOException, InterruptedException {
        ObjectMapper json = new ObjectMapper();
        json.writeValueAsString(answers.to("")); // loads what that needs while there are descriptors
        System.out.println(first);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            System.out.println(json.writeValueAsString(answers.to(line)));
        }
    }

    /** What a program says to a line; the empty line asks for its usual answer. */
    public interface Answers {
        Object to(String line) throws IOException, InterruptedException;
    }

    /** What follows {@code start} in its first line, or its next one; without such a line it is ended. */
    public String firstLine(String start) throws IOException, InterruptedException {
        try {
            String line = line();
            if (!line.startsWith(start)) {
                throw new IOException(name + ": it said: " + line);
            }
            return line.substring(start.length());
        } catch (IOException | InterruptedException e) {
            close();
            throw e;
        }
    }

    /** Asks for its usual answer. */
    public String ask() throws IOException, InterruptedException {
        tell("");
        return line();
    }

    /** Sends it a line. */
    public void tell(String line) throws IOException {
        process.outputWriter(StandardCharsets.UTF_8).append(line).append('\n').flush();
    }

    /** Its next line; that it has ended or keeps silent is an error. */
    public String line() throws IOException, InterruptedException {
        return line(Duration.ofSeconds(PATIENCE_SECONDS));
    }

    /** Its next line; that it has ended or keeps silent for so long is an error. */
    public String line(Duration patience) throws IOException, InterruptedException {
        CompletableFuture<@Nullable String> line = CompletableFuture.supplyAsync(() -> {
            try {
                return out.readLine();
            } catch (IOException e) {
                return null;
            }
        });
        try {
            String text = line.get(patience.toMillis(), TimeUnit.MILLISECONDS);
            if (text == null) {
                throw new IOException(name + ": its process ended");
            }
            return text;
        } catch (TimeoutException | ExecutionException e) {
            throw new IOException(name + ": its process does not answer", e);
        }
    }

    /** Ends it by ending its input, or by force when that does not help. */
    @Override
    public void close() {
        try {
            process.outputWriter(StandardCharsets.UTF_8).close();
        } catch (IOException e) {
            // it has ended already
        }
        try {
            if (!process.waitFor(EXIT_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
