// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.run;

import dev.buffers.bench.claims.NewClaims;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Drives this library, and on request its rivals, through the workloads. */
@Command(
        name = "pools",
        description = {
            "Measures this library beside the floor: a stack of ready buffers for each thread, the limit of what a pool can reach.",
            "Close everything else before. Ctrl-C leaves a report of the finished part."
        })
public final class PoolsCommand extends Campaign {
    @Option(
            names = "--rivals",
            description = "the pools of Netty, Jetty, Undertow and Grizzly too, a plain queue, and no pool")
    private boolean rivals;

    @Override
    public Integer call() throws IOException, InterruptedException {
        return execute("Buffers: the pools", NewClaims.pools(rivals));
    }
}
