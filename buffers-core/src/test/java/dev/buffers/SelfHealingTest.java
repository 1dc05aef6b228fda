// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.support.Jvm;
import dev.buffers.support.Threads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Memory that is lost, or free in another size, comes back within seconds in a JVM that makes no collection by itself (I11). Each case has
 * a separate JVM, because a JVM is asked for at most one collection in ten seconds.
 */
class SelfHealingTest {
    private static final int MAX = 1 << 20;
    private static final int SMALL = 1 << 10;
    private static final int LARGE = 64 << 10;
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    /** For the collection that finds the leases, and the next one, at least 10 s later, that takes their memory. */
    private static final Duration TWO_COLLECTIONS = Duration.ofSeconds(30);

    /** Prints whether the last acquire was served. If not, prints how many collections the pool asked for. */
    static final class Cases {
        public static void main(String[] args) throws Exception {
            BufferPool pool = BufferPool.builder("healing")
                    .policy("heap")
                    .max(MAX)
                    .maxSize(LARGE)
                    .threadCache(0)
                    .build();
            boolean served = run(pool, args[0]);
            System.out.println(served ? "served" : "refused, " + pool.stats().collections());
        }

        private static boolean run(BufferPool pool, String what) throws Exception {
            switch (what) {
                case "other size" -> {
                    fill(pool).forEach(PooledBuffer::release);
                    return isServed(pool, LARGE, PATIENCE);
                }
                case "lost, with patience" -> {
                    fill(pool);
                    return isServed(pool, SMALL, TWO_COLLECTIONS);
                }
                case "lost, with less patience" -> {
                    fill(pool);
                    return isServed(pool, SMALL, Duration.ofSeconds(6));
                }
                case "lost, without patience" -> {
                    fill(pool);
                    return isServedInTheEnd(pool);
                }
                default -> throw new AssertionError(what);
            }
        }

        private static List<PooledBuffer> fill(BufferPool pool) {
            List<PooledBuffer> leases = new ArrayList<>();
            for (PooledBuffer lease = pool.tryAcquire(SMALL); lease != null; lease = pool.tryAcquire(SMALL)) {
                leases.add(lease);
            }
            assertEquals(MAX / SMALL, leases.size());
            return leases;
        }

        private static boolean isServed(BufferPool pool, int size, Duration patience) {
            try {
                return pool.acquire(size, patience).isOpen();
            } catch (PoolExhaustedException e) {
                return false;
            }
        }

        private static boolean isServedInTheEnd(BufferPool pool) throws InterruptedException {
            for (long left = TWO_COLLECTIONS.toMillis(); left > 0; left -= 50) {
                if (pool.tryAcquire(SMALL) != null) {
                    return true;
                }
                Thread.sleep(50);
            }
            return false;
        }
    }

    @Test
    void memoryOfAnotherSizeComesBack() throws Exception {
        String said = said("other size");
        assertTrue(said.lines().anyMatch("served"::equals), said);
    }

    @Tag("full")
    @Test
    void poolHealsItselfUnlessCollectionsAreOff() throws Exception {
        Map<String, String> said = new ConcurrentHashMap<>();
        List<Threads.Action> jvms = new ArrayList<>();
        for (String what : List.of("other size", "lost, with patience", "lost, without patience")) {
            jvms.add(() -> said.put(what, said(what)));
        }
        String less = "lost, with less patience";
        jvms.add(() -> said.put("guarded", said("lost, with patience", "-Dbuffers.guard=on")));
        jvms.add(() -> said.put("collect=off", said(less, "-Dbuffers.collect=off")));
        jvms.add(() -> said.put("disabled", said(less, "-XX:+DisableExplicitGC")));
        Threads.together(jvms);
        String disabled = said.remove("disabled");
        assertTrue(disabled.contains("-XX:+DisableExplicitGC forbids"), disabled);
        assertTrue(disabled.contains("refused, 0\n"), disabled);
        Map<String, String> last = new TreeMap<>();
        said.forEach((what, text) -> last.put(
                what,
                text.lines()
                        .filter(line -> line.startsWith("served") || line.startsWith("refused"))
                        .reduce("", (one, next) -> next)));
        assertEquals(
                "{collect=off=refused, 0, guarded=served, lost, with patience=served, lost, without patience=served, other size=served}",
                last.toString());
    }

    private static String said(String what, String... more) throws Exception {
        List<String> options = new ArrayList<>(List.of(more));
        options.add("-Xmx256m");
        return Jvm.run(100, Cases.class, options.toArray(new String[0]), what);
    }
}
