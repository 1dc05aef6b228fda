package dev.buffers.bench.lanes;

import java.util.concurrent.TimeUnit;
import org.jctools.queues.varhandle.SpscVarHandleArrayQueue;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Group;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Control;

/**
 * What does it cost that one thread acquires and another releases? A reader acquires, touches a byte and passes the lease
 * through a queue of one producer and one consumer; a worker touches it and releases. Count the releases.
 *
 * <p>{@code java -jar buffers-bench/target/buffers-bench.jar jmh HandOffLane}
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(5)
@State(Scope.Group)
public class HandOffLane {
    private static final int SIZE = 4096;

    private final SpscVarHandleArrayQueue<Object> passed = new SpscVarHandleArrayQueue<>(256);

    /** Releases what nobody took. */
    @TearDown(Level.Iteration)
    public void drain(Lane lane) {
        for (Object lease = passed.poll(); lease != null; lease = passed.poll()) {
            lane.source.release(lease);
        }
    }

    /** Acquires and passes on; not counted. */
    @Benchmark
    @Group("handOff")
    public void acquire(Lane lane, Control control) {
        Object lease = lane.source.acquire(SIZE);
        lane.source.buffer(lease).put(0, (byte) 1);
        while (!passed.offer(lease)) {
            if (control.stopMeasurement) {
                lane.source.release(lease);
                return;
            }
            Thread.onSpinWait();
        }
    }

    /** Takes, touches, releases. */
    @Benchmark
    @Group("handOff")
    public int release(Lane lane, Control control) {
        Object lease = passed.poll();
        while (lease == null) {
            if (control.stopMeasurement) {
                return 0;
            }
            Thread.onSpinWait();
            lease = passed.poll();
        }
        int touched = lane.source.buffer(lease).get(0);
        lane.source.release(lease);
        return touched;
    }
}
