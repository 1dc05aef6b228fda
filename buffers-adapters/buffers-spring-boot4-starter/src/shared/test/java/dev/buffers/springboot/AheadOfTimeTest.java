// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.springboot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.SpringApplicationAotProcessor;

/** An application as Spring processes it before a native image is built: its beans are code, and its conditions are decided. */
@Tag("javac") // a runtime has none to compile what Spring writes
@Tag("full")
class AheadOfTimeTest {
    private static final Pattern STARTED = Pattern.compile(" started on port[^0-9]*([0-9]+) ");
    private static final String CLASS_PATH = System.getProperty("java.class.path");

    @TempDir
    private Path folder;

    private static List<String> servers() {
        return ThisBoot.SERVERS;
    }

    @ParameterizedTest
    @MethodSource("servers")
    @Timeout(
            value = 10, // the default of all tests; a read of a process's output ignores interrupts
            unit = TimeUnit.MINUTES,
            threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void theServerIsOnThePool(String server) throws Exception {
        String[] arguments = RunningApplication.arguments(server, "logging.level.org.springframework=INFO");
        Path sources = folder.resolve("sources");
        Path resources = folder.resolve("resources");
        Path classes = Files.createDirectory(folder.resolve("classes"));
        List<String> processor = new ArrayList<>(List.of(
                SpringApplicationAotProcessor.class.getName(),
                TestApplication.class.getName(),
                sources.toString(),
                resources.toString(),
                classes.toString(),
                "dev.buffers",
                "test"));
        processor.addAll(List.of(arguments));
        Process processing = java(CLASS_PATH, processor);
        try {
            List<String> said = processing.inputReader().lines().toList();
            assertEquals(0, processing.waitFor(), said::toString);
        } finally {
            processing.destroyForcibly();
        }
        compile(sources, classes);
        assertTrue(Files.exists(
                classes.resolve("dev/buffers/springboot/BuffersAutoConfiguration__BeanDefinitions.class")));

        List<String> application =
                new ArrayList<>(List.of("-Dspring.aot.enabled=true", TestApplication.class.getName()));
        application.addAll(List.of(arguments));
        Process running = java(
                String.join(File.pathSeparator, classes.toString(), resources.toString(), CLASS_PATH), application);
        try {
            List<String> log = new ArrayList<>();
            URI uri = URI.create("http://127.0.0.1:" + port(running.inputReader(), log) + "/hello");
            HttpRequest request = HttpRequest.newBuilder(uri).build();
            assertEquals(
                    "hello",
                    HttpClient.newHttpClient()
                            .send(request, BodyHandlers.ofString())
                            .body());
            assertTrue(
                    log.stream().anyMatch(line -> line.contains("Starting AOT-processed TestApplication")),
                    log::toString);
            assertTrue(
                    log.stream().anyMatch(line -> line.contains(" takes its buffers from the pool 'server'")),
                    log::toString);
        } finally {
            running.destroyForcibly().waitFor();
        }
    }

    private static Process java(String classPath, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1"));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("CLASSPATH", classPath);
        return builder.start();
    }

    private static void compile(Path sources, Path classes) throws IOException {
        List<String> options = new ArrayList<>(
                List.of("-d", classes.toString(), "-cp", classes + File.pathSeparator + CLASS_PATH, "-nowarn"));
        try (Stream<Path> files = Files.walk(sources)) {
            files.map(Path::toString).filter(file -> file.endsWith(".java")).forEach(options::add);
        }
        assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, options.toArray(String[]::new)));
    }

    private static String port(BufferedReader output, List<String> log) throws IOException {
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            log.add(line);
            Matcher started = STARTED.matcher(line);
            if (started.find()) {
                return started.group(1);
            }
        }
        throw new IOException("it ended: " + log);
    }
}
