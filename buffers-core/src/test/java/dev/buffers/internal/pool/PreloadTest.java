// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.pool;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.support.Jvm;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@link Preload}: what the slow paths need is initialised when the first pool is made; the log of the JVM says so. */
class PreloadTest {

    @Test
    void firstPoolInitialisesClassesOfSlowPaths() throws Exception {
        String said = Jvm.run(60, Main.class, "-Xlog:class+init=info");
        for (String type : List.of(
                "dev/buffers/internal/memory/Region$Charge",
                "dev/buffers/internal/pool/SlabChannelBuffers",
                "dev/buffers/internal/pool/SlowAcquire$AtCap",
                "dev/buffers/internal/slab/ReturnStack",
                "java/util/BitSet")) {
            assertTrue(said.contains("Initializing '" + type + "'"), type);
        }
    }

    static final class Main {
        public static void main(String[] args) {
            BufferPool.builder("preload").build();
        }
    }
}
