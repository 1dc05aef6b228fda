package dev.buffers.bench.duet;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Sums over the threads of a process, from a small file that the kernel has for each of them. A thread that has ended keeps what was last
 * read of it, so that no sum goes back; what it did after that reading is not seen.
 */
final class ThreadCounters {
    static final Path TASKS = Path.of("/proc/self/task");

    private static final int ENOUGH = 8192;

    /** How the kernel calls the threads of the JIT compilers, and one that has just begun. */
    private static final Pattern COMPILER = Pattern.compile("((C1|C2) Comp|JVMCI).*", Pattern.DOTALL);

    private static final String UNNAMED = "java\n";

    private final Path tasks;
    private final String file;
    private final Function<String, long[]> parser;
    private final Map<String, long[]> last = new HashMap<>();
    private final Map<String, Boolean> compilers = new HashMap<>();
    private final long[] ended;
    private final long[] endedCompilers;

    private ThreadCounters(Path tasks, String file, int counters, Function<String, long[]> parser) {
        this.tasks = tasks;
        this.file = file;
        this.parser = parser;
        this.ended = new long[counters];
        this.endedCompilers = new long[counters];
    }

    /** CPU time and run delay, in nanoseconds. */
    static ThreadCounters times(Path tasks) {
        return new ThreadCounters(tasks, "schedstat", 2, ThreadCounters::schedstat);
    }

    /** Voluntary and involuntary switches. */
    static ThreadCounters switches(Path tasks) {
        return new ThreadCounters(tasks, "status", 2, ThreadCounters::status);
    }

    /** The number of the calling thread. */
    static String self() throws IOException {
        return String.valueOf(Path.of("/proc/thread-self").toRealPath().getFileName());
    }

    /** The sums now. */
    long[] total() throws IOException {
        String[] threads = tasks.toFile().list();
        if (threads == null) {
            throw new IOException("no threads to be seen: " + tasks);
        }
        Set<String> gone = new HashSet<>(last.keySet());
        for (String thread : threads) {
            long[] now = read(thread);
            if (now == null) {
                continue;
            }
            gone.remove(thread);
            long[] before = last.put(thread, now);
            if (before != null && now[0] < before[0]) {
                end(thread, before); // a new thread has the number of one that ended
            }
        }
        for (String thread : gone) {
            end(thread, last.remove(thread));
        }
        long[] sums = ended.clone();
        last.values().forEach(counters -> add(sums, counters));
        return sums;
    }

    /** What was last read of one thread; zeros if nothing was. */
    long[] of(String thread) {
        return last.getOrDefault(thread, new long[ended.length]).clone();
    }

    /** What was last read of the JIT compilers' threads, those that have ended among them. */
    long[] ofCompilers() {
        long[] sums = endedCompilers.clone();
        last.forEach((thread, counters) -> {
            if (isCompiler(thread)) {
                add(sums, counters);
            }
        });
        return sums;
    }

    private void end(String thread, long @Nullable [] counters) {
        add(ended, counters);
        if (Boolean.TRUE.equals(compilers.remove(thread))) {
            add(endedCompilers, counters);
        }
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

    private long @Nullable [] read(String thread) throws IOException {
        String text = text(thread, file);
        try {
            return text.isEmpty() ? null : parser.apply(text);
        } catch (RuntimeException e) {
            throw new IOException("cannot read " + file + ": " + text, e);
        }
    }

    /** Empty when the thread has just ended. */
    private String text(String thread, String name) {
        try (FileInputStream in =
                new FileInputStream(tasks.resolve(thread).resolve(name).toFile())) {
            return new String(in.readNBytes(ENOUGH), StandardCharsets.US_ASCII);
        } catch (IOException e) {
            return "";
        }
    }

    private static void add(long[] sums, long @Nullable [] more) {
        if (more != null) {
            Arrays.setAll(sums, i -> sums[i] + more[i]);
        }
    }

    private static long[] schedstat(String text) {
        String[] fields = text.strip().split(" ", -1);
        return new long[] {Long.parseLong(fields[0]), Long.parseLong(fields[1])};
    }

    private static long[] status(String text) {
        return new long[] {field(text, "\nvoluntary_ctxt_switches:"), field(text, "\nnonvoluntary_ctxt_switches:")};
    }

    private static long field(String text, String name) {
        int from = text.indexOf(name) + name.length();
        return Long.parseLong(text.substring(from, text.indexOf('\n', from)).strip());
    }
}
