// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.internal.memory.ArenaMemory;
import dev.buffers.support.Jvm;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.LogManager;
import javax.management.MBeanServerFactory;
import org.junit.jupiter.api.Test;

/** What making a pool needs of the JVM, and what it leaves alone. */
class StartUpTest {

    /** Other code has all direct memory; pools of all kinds are made, those with beans last. */
    static final class NoDirectMemory {
        public static void main(String[] args) {
            long before = fullCollections();
            List<ByteBuffer> others = new ArrayList<>();
            try {
                while (others.size() < 100_000) {
                    others.add(ByteBuffer.allocateDirect(4096));
                }
            } catch (OutOfMemoryError e) {
                before = fullCollections(); // the JVM has asked for some
            }
            for (String kind : List.of("direct-view", "direct", "heap-view", "heap", "unpooled")) {
                use(BufferPool.builder(kind).policy(kind));
            }
            use(BufferPool.builder("guarded").guard(true));
            use(BufferPool.builder("shared-cap"));
            if (ArenaMemory.available()) {
                use(BufferPool.builder("prompt").free(PoolSettings.Freeing.PROMPT));
            }
            System.out.println("collections " + (fullCollections() - before));
            BufferPool shown = use(
                    BufferPool.builder("shown").jmx(true)); // logs that the server has no memory for the JDK's beans
            Reference.reachabilityFence(others);
            others.clear();
            System.gc();
            while (shown.stats().regions() == 0) { // the collector's references are handled after it
                shown.acquire(1000).release();
            }
            System.out.println("direct " + shown.acquire(1000).buffer().isDirect());
        }

        private static BufferPool use(BufferPool.Builder builder) {
            BufferPool pool = builder.atLimit(Exhaustion.unpooled())
                    .collect(PoolSettings.Collecting.OFF)
                    .build();
            pool.acquire(1000).release();
            return pool;
        }

        private static long fullCollections() {
            return ManagementFactory.getGarbageCollectorMXBeans().stream()
                    .filter(bean -> bean.getName().equals("MarkSweepCompact"))
                    .mapToLong(GarbageCollectorMXBean::getCollectionCount)
                    .sum();
        }
    }

    @Test
    void poolIsMadeWhileOtherCodeHoldsAllDirectMemory() throws Exception {
        String output = Jvm.run(NoDirectMemory.class, "-XX:MaxDirectMemorySize=4m", "-XX:+UseSerialGC", "-Xmn64m");
        assertTrue(output.contains("collections 0\n"), output);
        assertTrue(output.contains("direct true\n"), output);
    }

    /** A pool is made, used and closed before the program chooses its log manager. */
    static final class EarlyPool {
        /** The program's choice. */
        public static final class Chosen extends LogManager {}

        public static void main(String[] args) {
            for (String kind : List.of("direct-view", "heap")) {
                for (boolean guard : new boolean[] {false, true}) {
                    try (BufferPool pool = BufferPool.builder("early")
                            .policy(kind)
                            .guard(guard)
                            .build()) {
                        pool.acquire(100).release();
                        pool.stats();
                    }
                }
            }
            System.out.println("MBean servers: " + MBeanServerFactory.findMBeanServer(null));
            System.setProperty("java.util.logging.manager", Chosen.class.getName());
            System.out.println(LogManager.getLogManager().getClass().getSimpleName());
        }
    }

    @Test
    void earlyPoolLeavesLogManagerAndBeanServerToProgram() throws Exception {
        assertEquals("MBean servers: []\nChosen\n", Jvm.run(EarlyPool.class));
    }

    /** Prints how the making of a pool ends. */
    static final class NoneAllowed {
        public static void main(String[] args) {
            make(BufferPool.builder("default"));
            make(BufferPool.builder("capped").max(1 << 20));
            make(BufferPool.builder("heap").policy("heap"));
        }

        private static void make(BufferPool.Builder builder) {
            try (BufferPool pool = builder.build()) {
                pool.acquire(1000).release();
                System.out.println("served");
            } catch (IllegalArgumentException | PoolExhaustedException e) {
                System.out.println(String.valueOf(e.getMessage()).replaceAll("(limit=0).*", "$1"));
            }
        }
    }

    @Test
    void limitOfZeroAllowsNoDirectMemory() throws Exception {
        assertEquals(
                "bad value: buffers.max=50% (from default) holds no buffer of the smallest size, since the JVM allows 0 of"
                        + " direct memory (-XX:MaxDirectMemorySize); accepted: more than that, or policy=heap-view or heap\n"
                        + "pool has no room: pool=capped, size=1000,"
                        + " reason=the JVM's limit for direct memory is reached: used=0, limit=0\n"
                        + "served\n",
                Jvm.run(NoneAllowed.class, "-XX:MaxDirectMemorySize=0"));
    }
}
