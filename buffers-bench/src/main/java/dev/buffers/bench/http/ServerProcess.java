// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.http;

import dev.buffers.bench.Bench;
import dev.buffers.bench.jvm.ChildJvm;
import dev.buffers.bench.metrics.MetricsPort;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A server in a separate JVM, which ends when it is closed or when this process ends, however it ends.
 *
 * @param metrics where its meters are shown, when it was asked to show them
 */
record ServerProcess(ChildJvm jvm, int port, Optional<String> metrics) implements AutoCloseable {
    /**
     * Starts a server on {@code root} and waits until it is ready.
     *
     * @param jvmArguments which may set the pool
     * @param options of {@link ServeCommand}
     */
    static ServerProcess start(String name, List<String> jvmArguments, Path root, List<String> options)
            throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of("serve", "--control", "--root", root.toString()));
        arguments.addAll(options);
        ChildJvm jvm = ChildJvm.start(name, jvmArguments, Bench.class, arguments);
        Optional<String> metrics = Optional.empty();
        if (options.stream().anyMatch(option -> option.startsWith(MetricsPort.OPTION))) {
            metrics = Optional.of(jvm.firstLine(ServeCommand.METRICS));
        }
        String port = jvm.firstLine(ServeCommand.READY);
        return new ServerProcess(jvm, Integer.parseInt(port.replace("/", "")), metrics);
    }

    @Override
    public void close() {
        jvm.close();
    }
}
