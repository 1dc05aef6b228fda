// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.frameworks;

import dev.buffers.bench.harness.Comparison;
import dev.buffers.bench.harness.LoadContestant;
import dev.buffers.bench.harness.Variant;
import dev.buffers.bench.http.HttpContestant;
import dev.buffers.bench.jvm.ChildJvm;
import dev.buffers.bench.load.Documents;
import dev.buffers.bench.load.HttpLoad;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import javax.net.ssl.SSLContext;

/**
 * A framework's server in a separate JVM. The side's parameters are {@code framework}, {@code work}, and {@code ours} for this library's
 * pool in place of the framework's own, as it is shipped; {@code tls} for HTTPS.
 */
public final class FrameworkContestant {
    /** Undertow's own pool leaves a buffer with every virtual thread that has ended, and does not survive the child's usual 256 MiB. */
    private static final String ROOM_FOR_VIRTUAL = "-XX:MaxDirectMemorySize=2g";

    private FrameworkContestant() {}

    /** Starts one on a folder. */
    public static LoadContestant start(Comparison comparison, Variant side, Path root, Documents documents)
            throws IOException, InterruptedException {
        ChildJvm jvm = jvm(comparison, side, root);
        try {
            SSLContext tls = isSecure(side) ? Tls.client() : null;
            HttpLoad load = new HttpLoad(documents, side.name(), tls);
            return new HttpContestant(comparison, side, jvm, Integer.parseInt(jvm.firstLine("")), load);
        } catch (GeneralSecurityException e) {
            jvm.close();
            throw new IOException(e);
        }
    }

    static boolean isSecure(Variant side) {
        return side.parameters().containsKey("tls");
    }

    static ChildJvm jvm(Comparison comparison, Variant side, Path root) throws IOException {
        String work = side.parameters().getOrDefault("work", "streams");
        List<String> arguments = List.of(
                side.parameters().getOrDefault("framework", ""),
                String.valueOf(side.parameters().containsKey("ours")),
                work,
                root.toString(),
                String.valueOf(isSecure(side)));
        List<String> options = Work.named(work) == Work.VIRTUAL ? List.of(ROOM_FOR_VIRTUAL) : comparison.jvmArguments();
        return ChildJvm.start(side.name(), options, FrameworkProgram.class, arguments);
    }
}
