package dev.buffers.bench.frameworks;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.management.ThreadMXBean;
import dev.buffers.BufferPool;
import dev.buffers.PoolStats;
import dev.buffers.bench.duet.LoadContestant.Numbers;
import dev.buffers.bench.jvm.Footprint;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * The main program of a framework's JVM: prints its port, and answers each line of its input with one line of JSON until the input ends:
 * what it has used and holds. The line {@link #COLLECTED} asks for its footprint after a collection.
 */
final class FrameworkProgram {
    static final String COLLECTED = "collected";

    private FrameworkProgram() {}

    /** Takes the framework, whether it is on our pool, the work and the folder. */
    public static void main(String[] args) throws Exception {
        Logger.getLogger("").setLevel(Level.WARNING);
        Framework framework = Framework.named(args[0]);
        Work work = Work.named(args[2]);
        Contents contents = new Contents(Path.of(args[3]));
        ObjectMapper json = new ObjectMapper();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (Embedded server = framework.start(contents, work, Boolean.parseBoolean(args[1]))) {
            System.out.println(server.port());
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                Object answer =
                        line.equals(COLLECTED) ? Footprint.collected() : numbers(server.pools(), framework, work);
                System.out.println(json.writeValueAsString(answer));
            }
        }
        System.exit(0); // the threads of some frameworks would keep the JVM alive
    }

    /** Of our buffers none may be out once nobody is connected, unless it keeps files in some; nor may any be lost, but by Grizzly. */
    private static Numbers numbers(List<BufferPool> pools, Framework framework, Work work) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        return new Numbers(
                ManagementFactory.getCompilationMXBean().getTotalCompilationTime(),
                Arrays.stream(threads.getThreadAllocatedBytes(threads.getAllThreadIds()))
                        .filter(bytes -> bytes > 0)
                        .sum(),
                0,
                work == Work.FILES ? 0 : sum(pools, PoolStats::leases),
                framework.losesNothing() ? sum(pools, PoolStats::leaks) : 0);
    }

    static long sum(List<BufferPool> pools, ToLongFunction<PoolStats> figure) {
        return pools.stream()
                .distinct()
                .map(BufferPool::stats)
                .mapToLong(figure)
                .sum();
    }
}
