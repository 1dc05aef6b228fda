package dev.buffers.bench.advise;

import dev.buffers.PooledBuffer;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jctools.queues.varhandle.SpscVarHandleArrayQueue;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How long does it take that one thread acquires a buffer and fills it, and another reads it and releases it? The one waits for the
 * other only now and then, as a server's reader and its worker do; what was read is checked then.
 *
 * <p>{@code java -jar buffers-bench/target/buffers-bench.jar jmh HandOffUse}
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(5)
@SuppressWarnings("NullAway.Init") // JMH sets the parameters and calls the set-up
public class HandOffUse extends PoolInUse {
    private static final int BATCH = 256;
    private static final int SPINS = 200;

    /** Of the buffer, in bytes. */
    @Param("1024")
    public int size;

    private final SpscVarHandleArrayQueue<PooledBuffer> passed = new SpscVarHandleArrayQueue<>(64);

    /** How many buffers the worker has released; tells of {@link #sum} too. */
    private final AtomicLong released = new AtomicLong();

    private Thread worker;
    private volatile boolean stopped;
    private volatile @Nullable Throwable failure;
    private long sum;
    private long handedOff;
    private long wanted;

    @Setup(Level.Trial)
    public void startWorker() {
        worker = new Thread(this::work, "worker");
        worker.setDaemon(true);
        worker.start();
    }

    /** Hands a batch of buffers to the worker and waits for the last. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public long handOff() {
        for (int i = 0; i < BATCH; i++) {
            PooledBuffer lease = pool.acquire(size);
            fill(lease.buffer(), ++handedOff);
            for (int spins = 0; !passed.offer(lease); spins++) {
                pause(spins);
            }
        }
        for (int spins = 0; released.get() != handedOff; spins++) {
            pause(spins);
        }
        if (sum != wanted) {
            throw new IllegalStateException("not what was written: sum=" + sum + ", wanted=" + wanted);
        }
        return sum;
    }

    private void fill(ByteBuffer buffer, long value) {
        while (buffer.hasRemaining()) {
            buffer.putLong(value);
            wanted += value;
        }
        buffer.flip();
    }

    private void work() {
        try {
            long count = 0;
            for (int spins = 0; !stopped; spins++) {
                PooledBuffer lease = passed.poll();
                if (lease == null) {
                    pause(spins);
                } else {
                    spins = 0;
                    read(lease.buffer());
                    lease.release();
                    released.lazySet(++count);
                }
            }
        } catch (RuntimeException | Error e) {
            failure = e;
        }
    }

    private void read(ByteBuffer buffer) {
        while (buffer.hasRemaining()) {
            sum += buffer.getLong();
        }
    }

    /** Spins for a while, then lets others have the core, which may be the only one. */
    @SuppressWarnings("ThreadPriorityCheck") // without it a single core would spin to the end of its time slice
    private void pause(int spins) {
        if (failure != null) {
            throw new IllegalStateException("the worker failed", failure);
        }
        if (spins < SPINS) {
            Thread.onSpinWait();
        } else {
            Thread.yield();
        }
    }

    @TearDown(Level.Trial)
    public void stopWorker() throws InterruptedException {
        stopped = true;
        worker.join();
    }
}
