// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/** A server in a separate JVM that may have 64 file descriptors, {@code ulimit -n 64}. Its classes are in jars, as a user's are. */
final class FewDescriptors implements AutoCloseable {
    /** Where the system shows what a process has open: on Linux. */
    static final boolean ARE_SHOWN = Files.isDirectory(Path.of("/proc/self/fd"));

    static final int LIMIT = 64;

    private static final int PATIENCE_MILLIS = 300_000;
    private static final Duration WINDOW = Duration.ofMillis(500);

    /** The libraries of the servers; with all of the bench's, the class path alone would take all descriptors. */
    private static final String LIBRARIES = ".*(jctools|picocli|jackson|buffers-)[^/]*\\.jar";

    private final Process process;
    private final Path said;
    private final int port;

    /** Starts it and waits for its first line, which ends with its port. */
    FewDescriptors(Path folder, List<String> classes, List<String> command) throws IOException {
        List<String> line = new ArrayList<>(List.of("sh", "-c", "ulimit -n " + LIMIT + " && exec \"$@\"", "sh"));
        line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        line.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx128m"));
        line.addAll(List.of("-cp", inJars(folder, classes)));
        line.addAll(command);
        said = folder.resolve("said");
        process = new ProcessBuilder(line).redirectError(said.toFile()).start();
        String ready = process.inputReader(UTF_8).readLine();
        assertTrue(ready != null, this::said);
        port = Integer.parseInt(ready.replaceAll("\\D+", " ").strip().replaceAll(".* ", ""));
    }

    /** The class path that has these folders, and those of this JVM, each as a jar: a folder takes a descriptor for each class. */
    private static String inJars(Path folder, List<String> classes) throws IOException {
        List<String> all = new ArrayList<>(classes);
        all.addAll(List.of(System.getProperty("java.class.path").split(File.pathSeparator)));
        List<String> path = new ArrayList<>();
        for (String entry : all) {
            if (Files.isDirectory(Path.of(entry))) {
                Path jar = folder.resolve(path.size() + ".jar");
                pack(Path.of(entry), jar);
                path.add(jar.toString());
            } else if (entry.matches(LIBRARIES)) {
                path.add(entry);
            }
        }
        return String.join(File.pathSeparator, path);
    }

    private static void pack(Path folder, Path jar) throws IOException {
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
                Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                out.putNextEntry(new ZipEntry(folder.relativize(file).toString().replace('\\', '/')));
                Files.copy(file, out);
            }
        }
    }

    /** What it has said on its error stream. */
    String said() {
        try {
            return Files.readString(said, UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(PATIENCE_MILLIS);
        return socket;
    }

    /** More connections than it can accept: those beyond wait in the system's backlog. */
    List<Socket> crowd() throws IOException {
        List<Socket> crowd = new ArrayList<>();
        for (int i = 0; i < LIMIT; i++) {
            crowd.add(connect());
        }
        return crowd;
    }

    int open() {
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/" + process.pid() + "/fd"))) {
            return (int) descriptors.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends a request and waits for the first bytes of the answer. */
    static String ask(Socket socket, String request, int bytes) throws IOException {
        socket.getOutputStream().write(request.getBytes(US_ASCII));
        return new String(socket.getInputStream().readNBytes(bytes), US_ASCII);
    }

    void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
        while (!condition.getAsBoolean()) {
            assertTrue(
                    System.nanoTime() - deadline < 0 && process.isAlive(),
                    () -> "did not happen: " + what + "\n" + said());
            LockSupport.parkNanos(1_000_000);
        }
    }

    /** In one of several windows of time it uses less than a tenth of a processor: who spins uses more in each. */
    void awaitRest() {
        await("rest", () -> {
            Duration before = used();
            LockSupport.parkNanos(WINDOW.toNanos());
            return used().minus(before).compareTo(WINDOW.dividedBy(10)) < 0;
        });
    }

    private Duration used() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
