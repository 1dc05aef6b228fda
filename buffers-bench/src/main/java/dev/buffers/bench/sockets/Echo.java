// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.sockets;

import dev.buffers.BufferPool;
import dev.buffers.bench.harness.LoadContestant.Numbers;
import dev.buffers.bench.jvm.ChildJvm;
import dev.buffers.bench.net.LoopbackServer;
import java.io.IOException;
import java.util.Locale;

/** An echo server with its pool: the program of a separate JVM. */
final class Echo {
    private Echo() {}

    /**
     * Runs until the input ends: one line says the port, and each line of the input is answered with what the server has used and
     * holds.
     *
     * @param args the kind and the memory, as comparisons name them
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        EchoKind kind = EchoKind.valueOf(args[0].toUpperCase(Locale.ROOT).replace('-', '_'));
        Memory memory = Memory.valueOf(args[1].toUpperCase(Locale.ROOT));
        try (BufferPool pool = BufferPool.builder("echo").policy("direct-view").build();
                LoopbackServer<?, ?> server = kind.start(() -> memory.buffers(pool))) {
            ChildJvm.answer(
                    String.valueOf(server.port()),
                    line -> Numbers.here(server.connections(), pool.stats().leases(), server.failures()));
        }
    }
}
