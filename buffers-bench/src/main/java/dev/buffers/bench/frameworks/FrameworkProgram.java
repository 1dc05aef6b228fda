// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.frameworks;

import dev.buffers.PoolStats;
import dev.buffers.bench.harness.LoadContestant.Numbers;
import dev.buffers.bench.jvm.ChildJvm;
import dev.buffers.bench.jvm.Footprint;
import java.io.IOException;
import java.nio.file.Path;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The main program of a framework's JVM: prints its port, and answers each line of its input with one line of JSON until the input ends:
 * what it has used and holds. The line {@link #COLLECTED} asks for its footprint after a collection.
 */
final class FrameworkProgram {
    static final String COLLECTED = "collected";

    /** Drops buffers of connections that end: its adapter's tests name the places. */
    static final String GRIZZLY = "grizzly";

    private FrameworkProgram() {}

    /** Takes the framework, whether it is on our pool, the work, the folder, and whether it speaks TLS. */
    public static void main(String[] args) throws Exception {
        Logger.getLogger("").setLevel(Level.WARNING);
        String framework = args[0];
        Work work = Work.named(args[2]);
        Contents contents = Contents.read(Path.of(args[3]));
        Tls tls = Boolean.parseBoolean(args[4]) ? Tls.create() : null;
        try (Embedded server = start(framework, contents, work, Boolean.parseBoolean(args[1]), tls)) {
            ChildJvm.answer(
                    String.valueOf(server.port()),
                    line -> line.equals(COLLECTED) ? Footprint.collected() : numbers(server, framework, work));
        }
        System.exit(0); // the threads of some frameworks would keep the JVM alive
    }

    /** Starts its server with its defaults, on this library's pool, with what the system properties say, or on its own. */
    static Embedded start(String framework, Contents contents, Work work, boolean ours, @Nullable Tls tls)
            throws IOException {
        return switch (framework) {
            case "undertow" -> EmbeddedUndertow.start(contents, work, ours, tls);
            case "jetty" -> EmbeddedJetty.start(contents, work, ours, tls);
            case "tomcat" -> EmbeddedTomcat.start(contents, work, ours, tls);
            case "nio" -> EmbeddedNio.start(contents, ours, tls);
            case GRIZZLY -> EmbeddedGrizzly.start(contents, work, ours, tls);
            default -> throw new IllegalArgumentException("no such framework: " + framework);
        };
    }

    /** Without clients none of our buffers may be leased, unless the server keeps files in some; none may be lost, except by Grizzly. */
    private static Numbers numbers(Embedded server, String framework, Work work) {
        return Numbers.here(0, work == Work.FILES ? 0 : server.sum(PoolStats::leases), server.lost(framework));
    }
}
