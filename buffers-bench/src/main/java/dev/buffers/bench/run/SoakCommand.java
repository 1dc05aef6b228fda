// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.run;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.buffers.bench.frameworks.Soak;
import dev.buffers.bench.frameworks.Way;
import dev.buffers.bench.harness.Environment;
import dev.buffers.bench.jvm.AttachedJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Loads a server for hours. */
@Command(
        name = "soak",
        description = {
            "Loads a server for hours with clients that come, wait in all ways, stall and vanish, and prints its memory, leases and",
            "latency. The server is one that this command starts, or one that runs already.",
            "Exit codes: 0 nothing was lost or left and every answer was right, 1 something was, 2 wrong options."
        },
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        showDefaultValues = true)
public final class SoakCommand implements Callable<Integer> {
    private static final int SAMPLES = 120;
    private static final int MOST_MINUTES = 7 * 24 * 60;
    private static final Duration QUICK = Duration.ofSeconds(10);

    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = "--server",
            paramLabel = "SERVER",
            description = "tomcat, jetty, undertow, grizzly",
            defaultValue = "tomcat")
    private String server = "";

    @Option(
            names = "--pid",
            paramLabel = "N",
            description =
                    "the process of a server that runs already, in place of --server; it has the paths of the example"
                            + " spring-boot-soak")
    private @Nullable Long pid;

    @Option(names = "--port", paramLabel = "N", description = "the port of that server on the loopback interface")
    private int port;

    @Option(names = "--own", description = "on the server's own buffers, not on this library's pool")
    private boolean own;

    @Option(names = "--plain", description = "without TLS")
    private boolean plain;

    @Option(names = "--minutes", paramLabel = "N", description = "for so long", defaultValue = "120")
    private int minutes;

    @Option(names = "--connections", paramLabel = "N", description = "at most so many at once", defaultValue = "400")
    private int connections;

    @Option(names = "--quick", description = "for ten seconds, which proves nothing")
    private boolean quick;

    @Option(
            names = "--report",
            paramLabel = "FOLDER",
            description = "where soak.json goes",
            defaultValue = "buffers-bench/target/soak")
    private Path report = Path.of("");

    /** A whole run, as the file has it. */
    record Report(
            Environment where, String server, boolean own, boolean tls, List<Soak.Sample> samples, Soak.End end) {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        check();
        Duration time = quick ? QUICK : Duration.ofMinutes(minutes);
        Duration interval = Duration.ofMillis(Math.max(1_000, time.toMillis() / SAMPLES));
        List<Soak.Sample> samples = new ArrayList<>();
        System.out.println("minutes  connections  p50 us  p99 us  longest us  resident MB  heap MB  leased KB  failed");
        Soak soak = Soak.of(server, !own, !plain, connections);
        String name = server;
        if (pid != null) {
            AttachedJvm jvm = attach(pid);
            soak = Soak.of(jvm, port, !plain, connections);
            name = jvm.program();
            if (!own && !jvm.hasPools()) {
                System.out.println("No pool is visible there. With buffers.jmx=true the leases would be counted too.");
            }
        }
        Soak.End end = soak.run(time, interval, sample -> {
            samples.add(sample);
            System.out.println(line(sample));
        });
        Files.createDirectories(report);
        Path file = report.resolve("soak.json");
        new ObjectMapper()
                .writerWithDefaultPrettyPrinter()
                .writeValue(file.toFile(), new Report(Environment.here(), name, own, !plain, samples, end));
        System.out.println("left: leased=" + end.leased() + ", lost=" + end.lost() + ", heap=" + end.heap()
                + ", direct=" + end.direct() + ", resident=" + end.resident());
        end.failures().forEach(failure -> System.out.println("failed: " + failure));
        System.out.println("Report: " + file);
        return end.isClean() ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    private void check() {
        List<String> known = Way.SERVERS.stream().filter(Soak::hasAllClients).toList();
        accept(known.contains(server), "--server=" + server + "; accepted: " + String.join(", ", known));
        accept(minutes >= 1 && minutes <= MOST_MINUTES, "--minutes=" + minutes + "; accepted: 1 to " + MOST_MINUTES);
        accept(
                (pid == null) == (port == 0) && port >= 0 && port < 1 << 16,
                "--pid=" + pid + ", --port=" + port + "; accepted: both, with a port of 1 to 65535, or none of them");
        accept(connections >= 4 && connections <= 10_000, "--connections=" + connections + "; accepted: 4 to 10000");
    }

    private AttachedJvm attach(long pid) {
        try {
            return AttachedJvm.attach(pid);
        } catch (IOException e) {
            throw new CommandLine.ParameterException(
                    Objects.requireNonNull(spec).commandLine(),
                    "--pid=" + pid + "; accepted: a JVM of the same user: " + e.getMessage());
        }
    }

    private void accept(boolean right, String problem) {
        if (!right && spec != null) {
            throw new CommandLine.ParameterException(spec.commandLine(), problem);
        }
    }

    private static String line(Soak.Sample sample) {
        return String.format(
                Locale.ROOT,
                "%7.1f  %11d  %6d  %6d  %10d  %11.1f  %7.1f  %9.1f  %6d",
                sample.minutes(),
                sample.connections(),
                sample.p50(),
                sample.p99(),
                sample.longest(),
                sample.resident() / 1e6,
                sample.heap() / 1e6,
                sample.leased() / 1e3,
                sample.failed());
    }
}
