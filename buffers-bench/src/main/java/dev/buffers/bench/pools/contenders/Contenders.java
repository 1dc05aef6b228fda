// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.pools.contenders;

import dev.buffers.BufferPool;
import dev.buffers.PoolSettings;
import io.netty.buffer.AdaptiveByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.concurrent.FastThreadLocalThread;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.eclipse.jetty.io.ArrayByteBufferPool;
import org.jspecify.annotations.Nullable;

/**
 * The contenders of the workloads: this library, the floor, a queue of ten lines, the plain JDK, and the pools of four
 * frameworks. A framework is there as it is shipped, called from a server's own threads, and at its best where that differs: with the
 * threads, the settings and the JVM's options that its own sources and documents recommend for speed, safety checks left on.
 */
@SuppressWarnings("ImmutableEnumChecker") // its functions have no state
public enum Contenders {
    /** This library with its defaults; the next four with one setting changed. */
    buffers(size -> new OurPool(BufferPool.builder("bench"))),
    buffersHeap(size -> new OurPool(BufferPool.builder("bench").policy("heap"))),
    buffersHeapView(size -> new OurPool(BufferPool.builder("bench").policy("heap-view"))),
    buffersDirect(size -> new OurPool(BufferPool.builder("bench").policy("direct"))),
    /** {@code free=prompt} needs Java 22. */
    buffersPrompt(size -> new OurPool(BufferPool.builder("bench").free(PoolSettings.Freeing.PROMPT))),
    floor(Floor::new),
    checkedFloor(CheckedFloor::new),
    queue(SharedQueue::new),
    handleQueue(HandleQueue::new),
    allocateHeap(size -> new Fresh(false)),
    allocateDirect(size -> new Fresh(true)),
    nettyAdaptive(size -> new Netty(new AdaptiveByteBufAllocator())),
    nettyAdaptiveBest(FastThreadLocalThread::new, size -> new Netty(new AdaptiveByteBufAllocator(true, true))),
    nettyPooled(size -> new Netty(PooledByteBufAllocator.DEFAULT)),
    nettyPooledBest(FastThreadLocalThread::new, size -> Netty.pooledBest()),
    jetty(size -> new Jetty(new ArrayByteBufferPool())),
    jettyBest(size -> Jetty.best()),
    undertow(Undertow::new),
    grizzlyHeap(Grizzly::heapWorker, size -> Grizzly.heap()),
    grizzlyByteBuffer(Grizzly::byteBufferWorker, size -> Grizzly.byteBuffer()),
    grizzlyPooled(Grizzly::pooledWorker, size -> Grizzly.pooled());

    private static final int FIRST_JAVA_WITH_ARENAS = 22;
    private static final int FIRST_JAVA_WITH_MEMORY_OPTIONS = 24;

    private final @Nullable Function<Runnable, Thread> ownThreads;
    private final IntFunction<Contender> maker;

    Contenders(IntFunction<Contender> maker) {
        this(null, maker);
    }

    Contenders(@Nullable Function<Runnable, Thread> ownThreads, IntFunction<Contender> maker) {
        this.ownThreads = ownThreads;
        this.maker = maker;
    }

    /** The pools of others, and no pool at all: each contender that is neither this library nor a floor. */
    public static Set<Contenders> rivals() {
        return EnumSet.complementOf(EnumSet.range(buffers, checkedFloor));
    }

    /** Whether this Java can run it. */
    public boolean isAvailable() {
        return this != buffersPrompt || Runtime.version().feature() >= FIRST_JAVA_WITH_ARENAS;
    }

    /** Whether it is available, and can run this JMH benchmark, named as {@code Class.method}. */
    public boolean canRun(String benchmark) {
        String type = benchmark.replaceFirst("\\.[^.]*$", "").replaceFirst("^.*\\.", "");
        boolean can = switch (type) {
            case "HandOffBenchmark" -> this != floor && this != checkedFloor; // their threads share nothing
            case "ChannelBenchmark" -> this == buffers || this == floor;
            case "LiveLeasesBenchmark" -> this == buffers;
            default -> true;
        };
        return can && isAvailable();
    }

    /** A contender, for sizes up to {@code maxSize}. */
    public Contender make(int maxSize) {
        return maker.apply(maxSize);
    }

    /** A thread of the kind that the contender is at its best on. */
    public Thread thread(Runnable task) {
        return ownThreads == null ? new Thread(task) : ownThreads.apply(task);
    }

    /** The options of a JVM in which it runs: JMH uses its threads, Netty skips what only debugging needs. */
    public List<String> jvmArguments() {
        List<String> arguments = new ArrayList<>(ownThreads == null ? List.of() : ContenderThreads.of(this));
        if (this == nettyAdaptiveBest || this == nettyPooledBest) {
            arguments.add("-Dio.netty.leakDetection.level=disabled");
            if (Runtime.version().feature() >= FIRST_JAVA_WITH_MEMORY_OPTIONS) {
                arguments.add("--sun-misc-unsafe-memory-access=allow");
                arguments.add("--enable-native-access=ALL-UNNAMED");
            }
        }
        return arguments;
    }
}
