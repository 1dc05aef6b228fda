// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.frameworks;

import dev.buffers.bench.harness.Comparison;
import dev.buffers.bench.harness.LoadContestant;
import dev.buffers.bench.harness.Variant;
import dev.buffers.bench.http.HttpContestant;
import dev.buffers.bench.jvm.ChildJvm;
import dev.buffers.bench.load.Documents;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * A framework's server in a separate JVM. The side's parameters are {@code framework}, {@code work}, and {@code ours} for this library's
 * pool in place of the framework's own, as it is shipped; {@code tls} for HTTPS, by {@link IdleContestant} alone.
 */
public final class FrameworkContestant {
    /** Undertow's own pool leaves a buffer with every virtual thread that has ended, and does not survive the child's usual 256 MiB. */
    private static final String ROOM_FOR_VIRTUAL = "-XX:MaxDirectMemorySize=2g";

    private FrameworkContestant() {}

    /** Starts one on a folder. */
    public static LoadContestant start(Comparison comparison, Variant side, Path root, Documents documents)
            throws IOException, InterruptedException {
        ChildJvm jvm = jvm(comparison, side, root);
        return new HttpContestant(comparison, side, jvm, Integer.parseInt(jvm.firstLine("")), documents);
    }

    static ChildJvm jvm(Comparison comparison, Variant side, Path root) throws IOException {
        String work = side.parameters().getOrDefault("work", "streams");
        List<String> arguments = List.of(
                side.parameters().getOrDefault("framework", ""),
                String.valueOf(side.parameters().containsKey("ours")),
                work,
                root.toString(),
                String.valueOf(side.parameters().containsKey("tls")));
        List<String> options = Work.named(work) == Work.VIRTUAL ? List.of(ROOM_FOR_VIRTUAL) : comparison.jvmArguments();
        return ChildJvm.start(side.name(), options, FrameworkProgram.class, arguments);
    }
}
