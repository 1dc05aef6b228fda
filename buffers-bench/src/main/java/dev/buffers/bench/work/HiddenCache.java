// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.work;

import dev.buffers.bench.harness.PassContestant;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * How much memory does a thread hold that has written one buffer to a channel? The buffer's own bytes, heap or direct, and what
 * the thread keeps unseen: a direct buffer to copy heap buffers through. The JVM asks itself, through its native memory tracking, which has
 * to be on: since JDK 25 these buffers are in no other account. Some threads write one buffer each to {@code /dev/null} and stay.
 */
public final class HiddenCache implements PassContestant.Pass {
    private static final int THREADS = 8;
    private static final Pattern OTHER = Pattern.compile("Other \\(reserved=(\\d+)");

    @Override
    public Map<String, Double> run(Map<String, String> parameters) throws Exception {
        int size = Integer.parseInt(String.valueOf(parameters.get("size")));
        return Map.of("held", heldByOne(BufferKind.valueOf(parameters.getOrDefault("kind", "heap")), size));
    }

    private static double heldByOne(BufferKind kind, int size)
            throws IOException, InterruptedException, ExecutionException, JMException {
        ExecutorService threads =
                Executors.newFixedThreadPool(THREADS); // each task begins a thread until all are there
        try (FileChannel channel = FileChannel.open(Path.of("/dev/null"), StandardOpenOption.WRITE)) {
            long before = nativeBytes();
            List<BufferKind.Held> buffers = new ArrayList<>();
            List<Future<Integer>> writes = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                BufferKind.Held held = kind.hold(size);
                buffers.add(held);
                writes.add(threads.submit(() -> channel.write(held.buffer())));
            }
            for (Future<Integer> write : writes) {
                if (write.get() != size) {
                    throw new IOException("not written: size=" + size + ", written=" + write.get());
                }
            }
            long hidden = nativeBytes() - before;
            long onHeap = buffers.stream()
                    .filter(held -> held.buffer().hasArray())
                    .mapToLong(held -> held.buffer().array().length)
                    .sum();
            return (double) (hidden + onHeap) / THREADS;
        } finally {
            threads.shutdown();
        }
    }

    /** What the JVM has allocated natively for Java code. */
    private static long nativeBytes() throws JMException {
        String report = String.valueOf(ManagementFactory.getPlatformMBeanServer()
                .invoke(
                        new ObjectName("com.sun.management:type=DiagnosticCommand"),
                        "vmNativeMemory",
                        new Object[] {new String[] {"summary", "scale=B"}},
                        new String[] {String[].class.getName()}));
        if (!report.contains("Total: reserved=")) {
            throw new IllegalStateException("not an account of native memory: " + report);
        }
        Matcher other = OTHER.matcher(report);
        return other.find() ? Long.parseLong(other.group(1)) : 0;
    }
}
