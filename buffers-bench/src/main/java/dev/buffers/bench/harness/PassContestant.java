// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.harness;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.buffers.bench.jvm.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A JVM that does a {@link Pass} and reports its figures. The side called {@link #TARGET} has no JVM: its figures are its parameters, those
 * of a target that the others are to keep below.
 */
public final class PassContestant extends OnceContestant {
    /** The side that is a target. */
    public static final String TARGET = "target";

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final Comparison comparison;
    private final Variant side;
    private final List<ChildJvm> jvms = new CopyOnWriteArrayList<>();

    public PassContestant(Comparison comparison, Variant side) {
        this.comparison = comparison;
        this.side = side;
    }

    /** Work that is done once, in a separate JVM. Its class has a constructor without parameters. */
    public interface Pass {
        Map<String, Double> run(Map<String, String> parameters) throws Exception;
    }

    /** The child: prints the figures as JSON, and stays until its input ends, so that its CPU time can be asked for. */
    static final class Program {
        private Program() {}

        public static void main(String[] args) throws Exception {
            Pass pass = Class.forName(args[0])
                    .asSubclass(Pass.class)
                    .getDeclaredConstructor()
                    .newInstance();
            Map<String, String> parameters = JSON.readValue(args[1], new TypeReference<>() {});
            System.out.println(JSON.writeValueAsString(pass.run(parameters)));
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
            System.exit(0); // the threads of some contenders would keep the JVM alive
        }
    }

    @Override
    protected void start(String work, Map<String, String> parameters) throws IOException {
        if (side.name().equals(TARGET)) {
            return;
        }
        List<String> arguments = new ArrayList<>(comparison.jvmArguments());
        arguments.addAll(side.jvmArguments());
        jvms.add(ChildJvm.start(
                side.name(),
                arguments,
                System.getProperty("java.class.path"),
                Program.class,
                work,
                JSON.writeValueAsString(parameters)));
    }

    @Override
    protected Map<String, Double> await() throws IOException, InterruptedException {
        return side.name().equals(TARGET)
                ? JSON.convertValue(side.parameters(), new TypeReference<>() {})
                : JSON.readValue(jvms.get(jvms.size() - 1).line(PATIENCE), new TypeReference<>() {});
    }

    @Override
    public Duration cpu() {
        return jvms.stream().map(ChildJvm::cpu).reduce(Duration.ZERO, Duration::plus);
    }

    @Override
    public void close() {
        jvms.forEach(ChildJvm::close);
    }
}
