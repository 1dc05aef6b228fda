// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.harness;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The kernel's counts for a process's threads, added up, from the file {@code schedstat} of each thread. A thread that has ended keeps its
 * last reading, so that no sum goes back; its work after that reading is not seen.
 */
final class ThreadTimes {
    static final Path TASKS = Path.of("/proc/self/task");

    /** The counters of a thread: CPU time and time it waited for a processor, in nanoseconds, and how often it got one. */
    static final int CPU = 0;

    static final int DELAY = 1;
    static final int SWITCHES = 2;

    private static final int ENOUGH = 8192;

    /** How the kernel calls the threads of the JIT compilers, and one that has just begun. */
    private static final Pattern COMPILER = Pattern.compile("((C1|C2) Comp|JVMCI).*", Pattern.DOTALL);

    private static final String UNNAMED = "java\n";

    private final Path tasks;
    private final Map<String, long[]> last = new HashMap<>();
    private final Map<String, Boolean> compilers = new HashMap<>();
    private final long[] ended = new long[3];
    private long endedCompilers;

    ThreadTimes(Path tasks) {
        this.tasks = tasks;
    }

    /** The number of the calling thread. */
    static String self() throws IOException {
        return String.valueOf(Path.of("/proc/thread-self").toRealPath().getFileName());
    }

    /** Reads all threads; the sums of their counters. */
    long[] total() throws IOException {
        String[] threads = tasks.toFile().list();
        if (threads == null) {
            throw new IOException("no threads to be seen: " + tasks);
        }
        Set<String> gone = new HashSet<>(last.keySet());
        for (String thread : threads) {
            String schedstat = text(thread, "schedstat");
            if (!schedstat.isEmpty()) {
                gone.remove(thread);
                long[] now = counters(schedstat);
                long[] before = last.put(thread, now);
                if (before != null && now[CPU] < before[CPU]) {
                    end(thread, before); // a new thread has the number of one that ended
                }
            }
        }
        for (String thread : gone) {
            end(thread, last.remove(thread));
        }
        long[] sums = ended.clone();
        last.values().forEach(counters -> add(sums, counters));
        return sums;
    }

    /** The CPU time that was last read of one thread; 0 if nothing was. */
    long of(String thread) {
        return last.getOrDefault(thread, new long[1])[CPU];
    }

    /** The CPU time that was last read of the JIT compilers' threads, those that have ended among them. */
    long ofCompilers() {
        return endedCompilers
                + last.keySet().stream()
                        .filter(this::isCompiler)
                        .mapToLong(this::of)
                        .sum();
    }

    private void end(String thread, long @Nullable [] counters) {
        if (counters != null) {
            add(ended, counters);
            endedCompilers += Boolean.TRUE.equals(compilers.get(thread)) ? counters[CPU] : 0;
        }
        compilers.remove(thread);
    }

    private static void add(long[] sums, long[] counters) {
        Arrays.setAll(sums, i -> sums[i] + counters[i]);
    }

    private boolean isCompiler(String thread) {
        Boolean known = compilers.get(thread);
        if (known == null) {
            String name = text(thread, "comm");
            known = COMPILER.matcher(name).matches();
            if (!name.isEmpty() && !name.equals(UNNAMED)) {
                compilers.put(thread, known);
            }
        }
        return known;
    }

    private static long[] counters(String schedstat) throws IOException {
        try {
            return Arrays.stream(schedstat.strip().split(" ", -1))
                    .mapToLong(Long::parseLong)
                    .toArray();
        } catch (NumberFormatException e) {
            throw new IOException("cannot read schedstat: " + schedstat, e);
        }
    }

    /** Empty when the thread has just ended. */
    private String text(String thread, String file) {
        try (FileInputStream in =
                new FileInputStream(tasks.resolve(thread).resolve(file).toFile())) {
            return new String(in.readNBytes(ENOUGH), StandardCharsets.US_ASCII);
        } catch (IOException e) {
            return "";
        }
    }
}
