package dev.buffers.bench.duet;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The CPU time of a process as the sum over its threads, in nanoseconds, from the file {@code schedstat} that the kernel has for each of
 * them. A thread that has ended keeps what was last read of it, so that no sum goes back; what it did after that reading is not seen.
 */
final class ThreadTimes {
    static final Path TASKS = Path.of("/proc/self/task");

    private static final int ENOUGH = 8192;

    /** How the kernel calls the threads of the JIT compilers, and one that has just begun. */
    private static final Pattern COMPILER = Pattern.compile("((C1|C2) Comp|JVMCI).*", Pattern.DOTALL);

    private static final String UNNAMED = "java\n";

    private final Path tasks;
    private final Map<String, Long> last = new HashMap<>();
    private final Map<String, Boolean> compilers = new HashMap<>();
    private long ended;
    private long endedCompilers;

    ThreadTimes(Path tasks) {
        this.tasks = tasks;
    }

    /** The number of the calling thread. */
    static String self() throws IOException {
        return String.valueOf(Path.of("/proc/thread-self").toRealPath().getFileName());
    }

    /** Reads all threads. */
    long total() throws IOException {
        String[] threads = tasks.toFile().list();
        if (threads == null) {
            throw new IOException("no threads to be seen: " + tasks);
        }
        Set<String> gone = new HashSet<>(last.keySet());
        for (String thread : threads) {
            String schedstat = text(thread, "schedstat");
            if (!schedstat.isEmpty()) {
                gone.remove(thread);
                long now = cpu(schedstat);
                Long before = last.put(thread, now);
                if (before != null && now < before) {
                    end(thread, before); // a new thread has the number of one that ended
                }
            }
        }
        for (String thread : gone) {
            end(thread, last.remove(thread));
        }
        return ended + last.values().stream().mapToLong(Long::longValue).sum();
    }

    /** What was last read of one thread; 0 if nothing was. */
    long of(String thread) {
        return last.getOrDefault(thread, 0L);
    }

    /** What was last read of the JIT compilers' threads, those that have ended among them. */
    long ofCompilers() {
        return endedCompilers
                + last.keySet().stream()
                        .filter(this::isCompiler)
                        .mapToLong(this::of)
                        .sum();
    }

    private void end(String thread, @Nullable Long used) {
        long nanos = used == null ? 0 : used;
        ended += nanos;
        if (Boolean.TRUE.equals(compilers.remove(thread))) {
            endedCompilers += nanos;
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

    private static long cpu(String schedstat) throws IOException {
        try {
            return Long.parseLong(schedstat.substring(0, Math.max(0, schedstat.indexOf(' '))));
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
