// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.buffers.support.Jvm;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** The JVM's figures for direct memory, in separate JVMs where the answer depends on their options. */
class DirectLimitTest {
    private static final int MIB = 1 << 20;

    /** Under this Runtime.maxMemory() is exactly -Xmx. */
    private static final String G1 = "-XX:+UseG1GC";

    /** Prints the limit, by how much the use grows with a buffer of one MiB, and whether two flags are set. */
    static final class Probe {
        public static void main(String[] args) {
            long before = DirectLimit.used();
            ByteBuffer buffer = ByteBuffer.allocateDirect(MIB);
            long grown = before == DirectLimit.UNKNOWN ? -1 : DirectLimit.used() - before;
            Reference.reachabilityFence(buffer);
            System.out.println(DirectLimit.limit() + " " + grown + " " + DirectLimit.flag("DisableExplicitGC") + " "
                    + DirectLimit.flag("NoSuchFlag"));
        }
    }

    @Test
    void limitIsMaxDirectMemorySizeAndUseLeavesOutPageAlignment() throws Exception {
        assertEquals(
                48L * MIB + " " + MIB + " true false\n",
                Jvm.run(
                        Probe.class,
                        G1,
                        "-XX:MaxDirectMemorySize=48m",
                        "-Dsun.nio.PageAlignDirectMemory=true",
                        "-XX:+DisableExplicitGC"));
    }

    @Test
    void limitIsHeapSizeWithoutOption() throws Exception {
        assertEquals(96L * MIB + " " + MIB + " false false\n", Jvm.run(Probe.class, G1, "-Xmx96m"));
    }

    /** Prints the limit. */
    static final class Limit {
        public static void main(String[] args) {
            System.out.println(DirectLimit.limit());
        }
    }

    @Test
    void limitMayBeZero() throws Exception {
        assertEquals("0\n", Jvm.run(Limit.class, "-XX:MaxDirectMemorySize=0"));
    }

    @Test
    void limitIsHeapSizeAndUseUnknownWithoutManagementModules() throws Exception {
        assertEquals(
                96L * MIB + " -1 false false\n",
                Jvm.run(
                        Probe.class,
                        G1,
                        "-Xmx96m",
                        "-XX:MaxDirectMemorySize=48m",
                        "-XX:+DisableExplicitGC",
                        "--limit-modules=java.base"));
    }
}
