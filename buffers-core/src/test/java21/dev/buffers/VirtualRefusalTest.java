// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.internal.memory.Footprint;
import dev.buffers.support.Jvm;
import dev.buffers.support.Leases;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.ObjectName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Many virtual threads that are refused at the cap, beside platform threads that acquire and discard (I10). On Java 21 a lock guards a
 * reference queue: platform threads stood still for up to a minute behind a virtual thread that was to have it, and with them the thread
 * of the JVM that enqueues the references of all code. Runs in a separate JVM.
 */
class VirtualRefusalTest {
    private static final Pattern FIGURES = Pattern.compile("step=(\\d+) reference=(\\d+) footprints=(\\d+)");
    private static final int LARGE = 256 << 10;
    private static final int CAP = 15 * LARGE + (250 << 10);

    /** As many as the cap admits of the smallest size, and the large ones. */
    private static final int MOST_FOOTPRINTS = (CAP - 15 * LARGE) / 128 + 15;

    /**
     * Prints the longest time without a step in milliseconds, the longest that a reference took to its queue, and the footprints. The
     * times are those beyond the longest that a thread which uses no pool made no step: a collection, or a busy machine.
     */
    static final class Program {
        private static final int VIRTUAL = 100;
        private static final int PLATFORM = 3;

        private static final BufferPool POOL = BufferPool.builder("refusing")
                .policy("heap")
                .max(CAP)
                .maxSize(LARGE)
                .build();

        private static volatile boolean stop;
        private static byte[] garbage = {};

        public static void main(String[] args) throws Exception {
            List<PooledBuffer> kept = Leases.of(15, () -> POOL.acquire(LARGE));
            AtomicLong idle = start(Program::allocate);
            List<AtomicLong> steps = new ArrayList<>();
            for (int i = 0; i < PLATFORM; i++) {
                steps.add(start(Program::discard));
            }
            for (int i = 0; i < VIRTUAL / 2; i++) {
                SynchronousQueue<Integer> meeting = new SynchronousQueue<>();
                Thread.ofVirtual().start(() -> refused(() -> meeting.put(1)));
                Thread.ofVirtual().start(() -> refused(meeting::take));
            }
            long begin = System.nanoTime();
            long seconds = TimeUnit.SECONDS.toNanos(Integer.parseInt(args[0]));
            long step = 0;
            long reference = 0;
            long others = 0;
            ReferenceQueue<Object> queue = new ReferenceQueue<>();
            WeakReference<Object> other = new WeakReference<>(new Object(), queue);
            long taken = 0;
            while (System.nanoTime() - begin < seconds) {
                Thread.sleep(20);
                others = Math.max(others, System.nanoTime() - idle.get());
                for (AtomicLong each : steps) {
                    step = Math.max(step, System.nanoTime() - each.get());
                }
                taken = taken == 0 && other.refersTo(null) ? System.nanoTime() : taken;
                reference = taken == 0 ? reference : Math.max(reference, System.nanoTime() - taken);
                if (queue.poll() != null) {
                    other = new WeakReference<>(new Object(), queue);
                    taken = 0;
                }
            }
            stop = true;
            System.out.println("step=" + Math.max(0, step - others) / 1_000_000 + " reference="
                    + Math.max(0, reference - others) / 1_000_000 + " footprints=" + footprints() + " others="
                    + others / 1_000_000);
            Reference.reachabilityFence(kept);
            Runtime.getRuntime().halt(0);
        }

        /** A platform thread that repeats this; when it has last begun. */
        private static AtomicLong start(Runnable step) {
            AtomicLong last = new AtomicLong(System.nanoTime());
            Thread thread = new Thread(() -> {
                while (!stop) {
                    last.set(System.nanoTime());
                    step.run();
                }
            });
            thread.setDaemon(true);
            thread.start();
            return last;
        }

        private static void allocate() {
            garbage = new byte[1000];
        }

        private static void discard() {
            PooledBuffer lease = POOL.tryAcquire(100);
            if (lease != null) {
                lease.discard();
            }
            allocate();
        }

        private interface Meeting {
            void meet() throws InterruptedException;
        }

        private static void refused(Meeting meeting) {
            try {
                while (!stop) {
                    PooledBuffer lease = POOL.tryAcquire(LARGE - (16 << 10));
                    if (lease != null) {
                        lease.release();
                    }
                    meeting.meet();
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        /** Those that are reachable. */
        private static long footprints() throws Exception {
            String histogram = (String) ManagementFactory.getPlatformMBeanServer()
                    .invoke(
                            new ObjectName("com.sun.management:type=DiagnosticCommand"),
                            "gcClassHistogram",
                            new Object[] {new String[0]},
                            new String[] {String[].class.getName()});
            return histogram
                    .lines()
                    .map(line -> line.strip().split("\\s+"))
                    .filter(words -> words.length > 3 && words[3].equals(Footprint.class.getName()))
                    .mapToLong(words -> Long.parseLong(words[1]))
                    .sum();
        }
    }

    private static void run(int seconds, long mostMillis) throws Exception {
        String said = Jvm.run(
                seconds + 100, Program.class, new String[] {"-Xmx512m", "-XX:TieredStopAtLevel=4"}, "" + seconds);
        Matcher figures = FIGURES.matcher(said);
        assertTrue(figures.find(), said);
        assertTrue(Long.parseLong(figures.group(1)) <= mostMillis, said);
        assertTrue(Long.parseLong(figures.group(2)) <= mostMillis, said);
        long footprints = Long.parseLong(figures.group(3));
        assertTrue(footprints >= 15 && footprints <= MOST_FOOTPRINTS, said);
    }

    @Test
    @Tag("virtual")
    void platformThreadsAndReferencesOfOtherCodeGoOn() throws Exception {
        run(10, 8_000);
    }

    @Test
    @Tag("full")
    void theyGoOnForAMinute() throws Exception {
        run(60, 10_000);
    }
}
