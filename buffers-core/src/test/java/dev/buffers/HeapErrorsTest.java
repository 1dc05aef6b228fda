// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.support.Eventually;
import dev.buffers.support.Jvm;
import dev.buffers.support.Kind;
import dev.buffers.support.Overflow;
import dev.buffers.support.Peek;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * I10: a heap that is full takes nothing for good. With the profile {@code burn} hundreds of errors of each kind,
 * interpreted and compiled by each compiler.
 */
@Tag("full")
class HeapErrorsTest {
    private static final String[] FULL = {"-Xmx8m", "-XX:+UseSerialGC"};

    private static final String POLICIES = "direct-view,heap-view,heap,direct,unpooled";

    /** How many the callers see on each of ten pools. A call meets several errors before its caller sees one: hundreds of each kind. */
    private static final String SEEN =
            "LEASES=8,OVERSIZE=20,FURTHER=8,CHANNELS=6,FIGURES=25,THREADS=2,CLOSES=22,WAITS=4";

    @Test
    void aHeapThatIsFullAgainAndAgainTakesNothingForGood() throws Exception {
        Jvm.run(300, HeapErrors.class, FULL, "42", "direct-view", "LEASES=4,FIGURES=4,CLOSES=4");
    }

    @Tag("burn")
    @ParameterizedTest
    @ValueSource(strings = {"-Xint", "-XX:TieredStopAtLevel=1", "-XX:-TieredCompilation", "-XX:TieredStopAtLevel=4"})
    void inEachModeOfCompilation(String mode, @TempDir Path folder) throws Exception {
        String seed = String.valueOf(new SplittableRandom().nextInt(1_000_000));
        System.out.println("full heap: " + mode + " seed=" + seed);
        Path log = folder.resolve("exceptions.log");
        String[] options = {FULL[0], FULL[1], mode, "-Xlog:exceptions=info:file=" + log + ":timenanos:filecount=0"};
        long start = System.nanoTime();
        String said = Jvm.run(1800, HeapErrors.class, options, seed, POLICIES, SEEN);
        System.out.println("seconds=" + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start) + "\n" + said);
        Map<HeapErrors.Kind, Integer> met = met(said, thrown(log));
        System.out.println("errors met by the pool: " + mode + " " + met);
        for (HeapErrors.Kind kind : HeapErrors.Kind.values()) {
            assertTrue(met.getOrDefault(kind, 0) >= 100, () -> "a hundred of each: " + met);
        }
    }

    /** When the JVM threw a heap error, by its own log: readings of nanoTime. */
    private static NavigableMap<Long, Integer> thrown(Path log) throws IOException {
        NavigableMap<Long, Integer> thrown = new TreeMap<>();
        Pattern time = Pattern.compile("^\\[(\\d+)ns]");
        try (Stream<String> lines = Files.lines(log)) {
            long last = 0;
            for (String line : (Iterable<String>) lines::iterator) {
                Matcher at = time.matcher(line);
                last = at.find() ? Long.parseLong(at.group(1)) : last;
                if (line.contains("memAllocator.cpp")) {
                    thrown.merge(last, 1, Integer::sum);
                }
            }
        }
        return thrown;
    }

    /** How many of them were not the filling's, by kind. */
    private static Map<HeapErrors.Kind, Integer> met(String said, NavigableMap<Long, Integer> thrown) {
        Map<HeapErrors.Kind, Integer> met = new EnumMap<>(HeapErrors.Kind.class);
        Matcher run = HeapErrors.RUN.matcher(said);
        while (run.find()) {
            long from = Long.parseLong(run.group(4));
            long to = Long.parseLong(run.group(5));
            int all = thrown.subMap(from, to).values().stream()
                    .mapToInt(Integer::intValue)
                    .sum();
            met.merge(HeapErrors.Kind.valueOf(run.group(1)), all - Integer.parseInt(run.group(3)), Integer::sum);
        }
        return met;
    }

    /**
     * A heap that is full to the last sixteen bytes, again and again: every part of the pool that allocates fails, at one allocation or the
     * next, and the caller goes on. Then the pool must serve on, and after a collection every byte is accounted for.
     */
    static final class HeapErrors {
        private static final int LEASES = 24;
        private static final int STEPS = 12;

        /** The work that is done while there is no heap. */
        public enum Kind {
            /** Leases of some size, held for a while; they hit and miss by turns. */
            LEASES,
            /** Those that are larger than any class. */
            OVERSIZE,
            /** Further leases and parts, and memory that must not be used again. */
            FURTHER,
            /** Reads, grows, hands off and acquires through a channel that is idle at times. */
            CHANNELS,
            /** Looks at the figures and at the leftovers of ended threads, and trims. */
            FIGURES,
            /** The first three, by three threads at once. */
            THREADS,
            /** A separate pool each time, which is closed. */
            CLOSES,
            /** Waits at the cap, with wake-ups. */
            WAITS
        }

        /** The line that main prints for a run: its kind, errors that the callers saw, those of the filling itself, and when (nanoTime). */
        public static final Pattern RUN =
                Pattern.compile("([A-Z]+): seen=(\\d+) filling=(\\d+) from=(\\d+) to=(\\d+)", Pattern.MULTILINE);

        /** Its arguments: a seed, the policies, and the kinds, each with how many errors its callers are to see: {@code LEASES=4,WAITS=4}. */
        public static void main(String[] args) throws Exception {
            long seed = Long.parseLong(args[0]);
            List<String> policies = List.of(args[1].split(","));
            for (String policy : policies) {
                for (String each : args[2].split(",")) {
                    Kind kind = Kind.valueOf(each.substring(0, each.indexOf('=')));
                    long start = System.nanoTime();
                    HeapErrors run = new HeapErrors(policy, kind, seed++);
                    run.run(Integer.parseInt(each.substring(each.indexOf('=') + 1)));
                    long end = System.nanoTime();
                    System.out.println(policy + " " + kind + ": seen=" + run.errors + " filling="
                            + run.filling + " from=" + start + " to=" + end + " ms="
                            + TimeUnit.NANOSECONDS.toMillis(end - start) + " leaks=" + run.leaks);
                }
            }
        }

        /** Sixteen bytes. */
        private static final class Crumb {
            private Crumb next;
        }

        /** One thread's part: its code allocates no object but those of the pool. */
        private final class User {
            private final SplittableRandom random;
            private final PooledBuffer[] mine = new PooledBuffer[LEASES];
            private ChannelBuffers channel;
            private int errors;

            private User(long seed) {
                this.random = new SplittableRandom(seed);
            }

            private void step(Kind kind) {
                try {
                    if (channel == null) {
                        channel = pool.channel();
                    }
                    does(kind);
                } catch (OutOfMemoryError e) {
                    errors++;
                } catch (InternalError e) {
                    errors += noHeap(e);
                } catch (PoolExhaustedException e) {
                    // at the cap as well
                }
            }

            private void does(Kind kind) {
                int at = random.nextInt(LEASES);
                switch (kind) {
                    case LEASES, OVERSIZE -> {
                        int size = kind == Kind.LEASES ? random.nextInt(20_000) : 150_000 + random.nextInt(100_000);
                        if (mine[at] == null) {
                            mine[at] = random.nextBoolean() ? pool.acquire(size) : pool.tryAcquire(size);
                        } else {
                            ends(at, false);
                        }
                    }
                    case FURTHER -> {
                        int of = random.nextInt(LEASES);
                        if (mine[at] != null) {
                            ends(at, random.nextInt(8) == 0);
                        } else if (mine[of] != null && mine[of].isOpen()) {
                            mine[at] = random.nextBoolean() ? mine[of].retain() : mine[of].slice(0, 1);
                        } else {
                            mine[at] = pool.acquire(1 + random.nextInt(2000));
                        }
                    }
                    case CHANNELS -> {
                        switch (random.nextInt(5)) {
                            case 0 -> channel.input(random.nextInt(10_000)).put((byte) 1);
                            case 1 -> channel.idle();
                            case 2 -> {
                                if (mine[at] == null) {
                                    mine[at] = channel.acquire(random.nextInt(3000));
                                } else {
                                    ends(at, false);
                                }
                            }
                            case 3 -> {
                                channel.input(100).put((byte) 1).put((byte) 2);
                                if (mine[at] == null) {
                                    mine[at] = random.nextBoolean() ? channel.handOffInput() : channel.handOffInput(1);
                                } else {
                                    ends(at, false);
                                }
                            }
                            default -> {
                                channel.close();
                                channel = null;
                            }
                        }
                    }
                    case FIGURES -> {
                        switch (random.nextInt(4)) {
                            case 0 -> pool.trim();
                            case 1 -> pool.stats();
                            case 2 -> pool.openLeases();
                            default -> does(Kind.LEASES);
                        }
                    }
                    case WAITS -> {
                        if (random.nextInt(4) == 0) {
                            pool.whenAvailable(random.nextInt(60_000), HeapErrors::woken);
                        } else if (mine[at] == null) {
                            mine[at] = pool.acquire(random.nextInt(60_000), A_MICROSECOND);
                        } else {
                            ends(at, false);
                        }
                    }
                    default -> does(Kind.values()[random.nextInt(3)]);
                }
            }

            private void ends(int at, boolean discards) {
                PooledBuffer lease = mine[at];
                if (lease.isOpen()) {
                    if (discards) {
                        lease.discard();
                    } else {
                        lease.close();
                    }
                }
                mine[at] = null; // not before: a lease that could not be ended must be ended again
            }

            private void endsAll() {
                for (int at = 0; at < LEASES; at++) {
                    if (mine[at] != null) {
                        ends(at, false);
                    }
                }
                if (channel != null) {
                    channel.close();
                    channel = null;
                }
            }
        }

        private static final Duration A_MICROSECOND = Duration.ofNanos(1000);

        private final String policy;
        private final Kind kind;
        private final SplittableRandom random;
        private final Object[] ballast = new Object[1000];
        private BufferPool pool;
        private User user;
        private Crumb crumbs;
        private int errors;
        private int filling;
        private long leaks;
        private volatile boolean done;

        private HeapErrors(String policy, Kind kind, long seed) {
            this.policy = policy;
            this.kind = kind;
            this.random = new SplittableRandom(seed);
        }

        private static void woken() {}

        /** The JDK's error for a heap that is full while it links the call of a lambda or of a concatenation. */
        private static int noHeap(InternalError e) {
            if (e.getCause() instanceof OutOfMemoryError) {
                return 1;
            }
            throw e;
        }

        private void open() {
            pool = BufferPool.builder("heap")
                    .policy(policy)
                    .max(2 << 20)
                    .maxSize(64 << 10)
                    .regionSize(256 << 10)
                    .build();
            user = new User(random.nextLong());
        }

        private void run(int wanted) throws Exception {
            open();
            if (kind == Kind.CLOSES) {
                while (errors < wanted) {
                    close();
                }
                return;
            }
            PooledBuffer filling = kind == Kind.WAITS ? pool.acquire(7 << 18) : null;
            for (int i = 0; i < 3000; i++) {
                user.step(kind); // a class whose initialiser finds no heap is unusable permanently
            }
            user.endsAll();
            pool.trim();
            Thread[] others = new Thread[kind == Kind.THREADS ? 2 : 0];
            AtomicReference<Throwable> failure = new AtomicReference<>();
            for (int i = 0; i < others.length; i++) {
                User its = new User(random.nextLong()); // while there is heap for that
                others[i] = new Thread(() -> other(its));
                others[i].setUncaughtExceptionHandler((t, e) -> failure.set(e));
                others[i].start();
            }
            while (user.errors < wanted) {
                if (kind == Kind.FIGURES) {
                    Thread ends = new Thread(() -> pool.acquire(3000).close());
                    ends.start();
                    ends.join();
                }
                fill();
                spare();
                for (int i = 0; i < STEPS; i++) {
                    if (random.nextInt(4) == 0) {
                        spare();
                    }
                    user.step(kind);
                }
                free();
                if (random.nextBoolean()) {
                    user.endsAll();
                }
            }
            done = true;
            for (Thread other : others) {
                other.join();
            }
            assertEquals(null, failure.get());
            errors = user.errors;
            user.endsAll();
            user = null;
            if (filling != null) {
                filling.close();
            }
            Overflow.check(pool);
            leaks = pool.stats().leaks();
            assertEquals(0, Peek.strayGrants(pool), "room for magazines that nobody has");
            pool.close();
        }

        private void other(User me) {
            while (!done) {
                me.step(Kind.THREADS);
            }
            me.endsAll();
        }

        /** A pool with leases out is closed in a full heap. The daemon completes the close once there is heap again. */
        private void close() {
            for (int i = 0; i < 20; i++) {
                user.step(i % 2 == 0 ? Kind.LEASES : Kind.OVERSIZE);
            }
            fill();
            spare();
            try {
                pool.close();
            } catch (OutOfMemoryError e) {
                errors++;
            } catch (InternalError e) {
                errors += noHeap(e);
            }
            free();
            user.endsAll();
            BufferPool closed = pool;
            Eventually.collected("nothing stays out: " + closed.stats(), () -> {
                PoolStats stats = closed.stats();
                return stats.leases() == 0 && stats.reservedBytes() == 0;
            });
            open();
        }

        /** Takes all the heap there is. */
        private void fill() {
            for (int i = 0; i < 2000; i++) {
                takeCrumb();
            }
            int filled = 0;
            for (int size = 1 << 18; size >= 4096; size /= 64) {
                try {
                    while (filled < ballast.length) {
                        ballast[filled] = new byte[size];
                        filled++;
                    }
                } catch (OutOfMemoryError e) {
                    filling++; // smaller ones then
                }
            }
            try {
                for (; ; ) {
                    takeCrumb();
                }
            } catch (OutOfMemoryError e) {
                filling++; // that was the last
            }
        }

        private void takeCrumb() {
            Crumb crumb = new Crumb();
            crumb.next = crumbs;
            crumbs = crumb;
        }

        /** Leaves so much that the next step fails at one allocation or another. */
        private void spare() {
            int most = 1 << random.nextInt(4, 13);
            for (int bytes = random.nextInt(most); bytes > 0 && crumbs != null; bytes -= 16) {
                crumbs = crumbs.next;
            }
        }

        private void free() {
            Arrays.fill(ballast, null);
            crumbs = null;
        }
    }
}
