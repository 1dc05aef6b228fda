// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.memory;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.support.Jvm;
import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The JVM's figures for direct memory, in separate JVMs where the answer depends on their options. */
class DirectLimitTest {

    private static final int MIB = 1 << 20;

    /** Prints the limit, and by how much the use grows with a buffer of one MiB. */
    static final class Probe {
        public static void main(String[] args) {
            long before = DirectLimit.used();
            ByteBuffer buffer = ByteBuffer.allocateDirect(MIB);
            long grown = before == DirectLimit.UNKNOWN ? -1 : DirectLimit.used() - before;
            Reference.reachabilityFence(buffer);
            System.out.println(DirectLimit.limit() + " " + grown);
        }
    }

    @Test
    void limitIsMaxDirectMemorySize() throws Exception {
        assertEquals(48L * MIB + " " + MIB, probe("-XX:MaxDirectMemorySize=48m"));
    }

    @Test
    void limitIsHeapSizeWithoutOption() throws Exception {
        assertEquals(96L * MIB + " " + MIB, probe("-Xmx96m"));
    }

    @Test
    void limitIsHeapSizeAndUseUnknownWithoutManagementModules() throws Exception {
        assertEquals(96L * MIB + " -1", probe("-Xmx96m", "-XX:MaxDirectMemorySize=48m", "--limit-modules=java.base"));
    }

    @Test
    void useLeavesOutPageAlignment() throws Exception {
        assertEquals(
                48L * MIB + " " + MIB, probe("-XX:MaxDirectMemorySize=48m", "-Dsun.nio.PageAlignDirectMemory=true"));
    }

    @Test
    void useIsKnown() {
        assertTrue(DirectLimit.used() >= 0);
        assertTrue(DirectLimit.limit() > 0);
    }

    /** Prints whether the flag is set. */
    static final class Flag {
        public static void main(String[] args) {
            System.out.println(DirectLimit.flag("DisableExplicitGC") + " " + DirectLimit.flag("NoSuchFlag"));
        }
    }

    @Test
    void flagIsThatOfJvm() throws Exception {
        assertEquals("true false\n", Jvm.run(Flag.class, "-XX:+DisableExplicitGC"));
        assertEquals("false false\n", Jvm.run(Flag.class));
        assertEquals("false false\n", Jvm.run(Flag.class, "-XX:+DisableExplicitGC", "--limit-modules=java.base"));
    }

    private static String probe(String... options) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-XX:+UseG1GC"); // under which Runtime.maxMemory() is exactly -Xmx
        command.addAll(List.of(options));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Probe.class.getName()));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
        assertEquals(0, process.waitFor(), output);
        return output;
    }
}
