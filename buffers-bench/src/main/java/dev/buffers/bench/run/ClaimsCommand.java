// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.run;

import dev.buffers.bench.claims.Claim;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Puts what people have believed about Java's buffers to the test. */
@Command(
        name = "claims",
        description = {
            "Repeats measurements of Java's buffers (2002 to 2023) on this machine and says which claims still hold.",
            "Close everything else before. Ctrl-C leaves a report of the finished part."
        })
public final class ClaimsCommand extends Campaign {
    @Mixin
    private WaitingOptions waits = new WaitingOptions();

    @Override
    WaitingOptions waits() {
        return waits;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        return execute("Buffers: the claims", Claim.all());
    }
}
