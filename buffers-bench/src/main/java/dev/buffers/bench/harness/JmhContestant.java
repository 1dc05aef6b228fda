// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.harness;

import com.fasterxml.jackson.databind.JsonNode;
import dev.buffers.bench.harness.JmhChild.Order;
import dev.buffers.bench.harness.JmhChild.Warm;
import dev.buffers.bench.jvm.ChildJvm;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.openjdk.jmh.runner.CompilerHints;

/** A JVM that runs JMH benchmarks in turns: {@link JmhChild}, on this JVM's Java, with its options and class path and the variant's. */
public final class JmhContestant implements Contestant {
    /** The first Java that warns of Unsafe. */
    private static final int UNSAFE_WARNED = 24;

    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final Variant variant;
    private final ChildJvm jvm;
    private final Comparison.Pace pace;

    private JmhContestant(Variant variant, ChildJvm jvm, Comparison.Pace pace) {
        this.variant = variant;
        this.jvm = jvm;
        this.pace = pace;
    }

    public static JmhContestant start(Comparison comparison, Variant variant) throws IOException {
        List<String> arguments =
                new ArrayList<>(ManagementFactory.getRuntimeMXBean().getInputArguments());
        CompilerHints.addCompilerHints(arguments); // a fork of JMH's would have them: stubs not inlined, and blackholes
        arguments.add("-Djmh.ignoreLock=true");
        if (Runtime.version().feature() >= UNSAFE_WARNED) {
            arguments.add("--sun-misc-unsafe-memory-access=allow"); // JMH's own
        }
        arguments.addAll(comparison.jvmArguments());
        arguments.addAll(variant.jvmArguments());
        arguments.addAll(0, Heap.options(arguments));
        List<String> classPath = new ArrayList<>(variant.classPath());
        classPath.add(System.getProperty("java.class.path"));
        String path = String.join(File.pathSeparator, classPath);
        return new JmhContestant(
                variant, ChildJvm.start(variant.name(), arguments, path, JmhChild.class), comparison.pace());
    }

    @Override
    public void begin(Cell cell, Map<String, String> parameters) throws IOException {
        order(new Order(new Warm(cell.work(), parameters, pace), null));
    }

    @Override
    public Optional<Warmth> warm() throws IOException, InterruptedException {
        Warmth warmth = answer(Warmth.class);
        Path core = Path.of(URI.create(warmth.core()));
        List<String> wanted = variant.classPath();
        if (!wanted.isEmpty() && wanted.stream().noneMatch(entry -> core.equals(Path.of(entry)))) {
            throw new IOException(
                    variant.name() + ": the pool's classes are not from " + wanted + ", found=" + warmth.core());
        }
        return Optional.of(warmth);
    }

    @Override
    public void prepare(Slices slices) throws IOException {
        order(new Order(null, slices));
    }

    @Override
    public void ready() throws IOException, InterruptedException {
        answer(Boolean.class);
    }

    @Override
    public Turn slice() throws IOException, InterruptedException {
        jvm.tell(JmhChild.TURN);
        return answer(Turn.class);
    }

    @Override
    public boolean finished() throws IOException, InterruptedException {
        return answer(Boolean.class);
    }

    @Override
    public Duration cpu() {
        return jvm.cpu();
    }

    @Override
    public void close() {
        jvm.close();
    }

    private void order(Order order) throws IOException {
        jvm.tell(JmhChild.JSON.writeValueAsString(order));
    }

    private <T> T answer(Class<T> kind) throws IOException, InterruptedException {
        JsonNode answer = JmhChild.JSON.readTree(jvm.line(PATIENCE));
        if (answer.has(JmhChild.FAILURE)) {
            throw new IOException(
                    variant.name() + ": " + answer.get(JmhChild.FAILURE).asText());
        }
        return JmhChild.JSON.treeToValue(answer, kind);
    }
}
