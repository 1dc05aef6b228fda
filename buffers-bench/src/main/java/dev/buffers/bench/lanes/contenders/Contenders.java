package dev.buffers.bench.lanes.contenders;

import dev.buffers.BufferPool;
import dev.buffers.PoolSettings;
import io.netty.util.concurrent.FastThreadLocalThread;
import java.util.ArrayList;
import java.util.List;

/**
 * The contenders of the lanes: this library, the floor, a queue that anyone would write in ten lines, the plain JDK, and the pools of four
 * frameworks. A framework is there as it is shipped, called from a server's own threads, and at its best where that differs: with the
 * threads, the settings and the JVM's options that its own sources and documents recommend for speed, safety checks left on.
 */
public enum Contenders {
    /** This library with its defaults. */
    buffers,
    /** This library with {@code leases=recycled}. */
    buffersRecycled,
    /** This library with {@code policy=heap}. */
    buffersHeap,
    /** This library with {@code policy=heap-view}. */
    buffersHeapView,
    /** This library with {@code policy=direct}. */
    buffersDirect,
    /** This library with {@code free=prompt}, which needs Java 22. */
    buffersPrompt,
    /** A thread-local array stack of ready buffers: not a usable pool. */
    floor,
    /** One MPMC queue of buffers of one size. */
    queue,
    /** The same queue, with handles that end exactly once. */
    handleQueue,
    /** {@code ByteBuffer.allocate} each time. */
    allocateHeap,
    /** {@code ByteBuffer.allocateDirect} each time. */
    allocateDirect,
    nettyAdaptive,
    nettyAdaptiveBest,
    nettyPooled,
    nettyPooledBest,
    jetty,
    jettyBest,
    undertow,
    grizzlyHeap,
    grizzlyByteBuffer,
    grizzlyPooled;

    private static final int FIRST_JAVA_WITH_ARENAS = 22;
    private static final int FIRST_JAVA_WITH_MEMORY_OPTIONS = 24;

    /** Whether this Java can run it. */
    public boolean isPlayable() {
        return this != buffersPrompt || Runtime.version().feature() >= FIRST_JAVA_WITH_ARENAS;
    }

    /** A contender, for sizes up to {@code maxSize}. */
    public Contender make(int maxSize) {
        return switch (this) {
            case buffers -> new OurPool(BufferPool.builder("lanes"));
            case buffersRecycled -> new OurPool(BufferPool.builder("lanes").leases(PoolSettings.LeaseMode.RECYCLED));
            case buffersHeap -> new OurPool(BufferPool.builder("lanes").policy("heap"));
            case buffersHeapView -> new OurPool(BufferPool.builder("lanes").policy("heap-view"));
            case buffersDirect -> new OurPool(BufferPool.builder("lanes").policy("direct"));
            case buffersPrompt -> new OurPool(BufferPool.builder("lanes").free(PoolSettings.Freeing.PROMPT));
            case floor -> new Floor(maxSize);
            case queue -> new SharedQueue(maxSize);
            case handleQueue -> new HandleQueue(maxSize);
            case allocateHeap -> new Fresh(false);
            case allocateDirect -> new Fresh(true);
            case nettyAdaptive -> Netty.adaptive();
            case nettyAdaptiveBest -> Netty.adaptiveBest();
            case nettyPooled -> Netty.pooled();
            case nettyPooledBest -> Netty.pooledBest();
            case jetty -> Jetty.shipped();
            case jettyBest -> Jetty.best();
            case undertow -> new Undertow(maxSize);
            case grizzlyHeap -> new GrizzlyHeap();
            case grizzlyByteBuffer -> new GrizzlyByteBuffer();
            case grizzlyPooled -> new GrizzlyPooled();
        };
    }

    /** A thread of the kind that the contender is at its best on. */
    public Thread thread(Runnable task) {
        return switch (this) {
            case nettyAdaptiveBest, nettyPooledBest -> new FastThreadLocalThread(task);
            case grizzlyHeap -> GrizzlyHeap.worker(task);
            case grizzlyByteBuffer -> GrizzlyByteBuffer.worker(task);
            case grizzlyPooled -> GrizzlyPooled.worker(task);
            default -> new Thread(task);
        };
    }

    /** The options of a JVM in which it runs: JMH uses its threads, Netty skips what only debugging needs. */
    public List<String> jvmArguments() {
        List<String> arguments = new ArrayList<>();
        switch (this) {
            case nettyAdaptiveBest, nettyPooledBest -> {
                arguments.addAll(LaneThreads.of(this));
                arguments.add("-Dio.netty.leakDetection.level=disabled");
                if (Runtime.version().feature() >= FIRST_JAVA_WITH_MEMORY_OPTIONS) {
                    arguments.add("--sun-misc-unsafe-memory-access=allow");
                    arguments.add("--enable-native-access=ALL-UNNAMED");
                }
            }
            case grizzlyHeap, grizzlyByteBuffer, grizzlyPooled -> arguments.addAll(LaneThreads.of(this));
            default -> {}
        }
        return arguments;
    }
}
