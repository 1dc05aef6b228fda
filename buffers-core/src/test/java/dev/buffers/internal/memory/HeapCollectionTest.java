// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.buffers.support.Eventually;
import dev.buffers.support.Jvm;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/** In a separate JVM: the time of the last collection is that of the whole JVM. */
class HeapCollectionTest {

    /** Each answer, and whether a collection came with it. */
    static final class Probe {
        public static void main(String[] args) {
            System.out.println(HeapCollection.areDisabled()); // initialises the class, whose time begins then
            long now = System.nanoTime();
            System.out.println(HeapCollection.isAllowed(now) + " " + makes(now));
            long soon = now + HeapCollection.LEAST_PAUSE - 1;
            System.out.println(HeapCollection.isAllowed(soon) + " " + makes(soon));
            long later = now + HeapCollection.LEAST_PAUSE;
            System.out.println(HeapCollection.isAllowed(later) + " " + makes(later));
            System.out.println(HeapCollection.LEAST_PAUSE);
        }

        private static String makes(long now) {
            long before = collections();
            boolean begun = HeapCollection.begin(now);
            if (begun) {
                Eventually.holds("a collection", () -> collections() > before);
            }
            return begun + " " + (collections() > before);
        }

        private static long collections() {
            return ManagementFactory.getGarbageCollectorMXBeans().stream()
                    .mapToLong(GarbageCollectorMXBean::getCollectionCount)
                    .sum();
        }
    }

    @Test
    void beginCollectsOnceInTenSeconds() throws Exception {
        assertEquals(
                "false\ntrue true true\nfalse false false\ntrue true true\n10000000000\n",
                Jvm.run(Probe.class, "-XX:+UseSerialGC"));
    }

    @Test
    void beginDoesNothingWithExplicitCollectionsDisabled() throws Exception {
        assertEquals(
                "true\ntrue false false\nfalse false false\ntrue false false\n10000000000\n",
                Jvm.run(Probe.class, "-XX:+UseSerialGC", "-XX:+DisableExplicitGC"));
    }
}
