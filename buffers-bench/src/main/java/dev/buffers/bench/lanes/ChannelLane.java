package dev.buffers.bench.lanes;

import dev.buffers.BufferPool;
import dev.buffers.ChannelBuffers;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does a busy connection pay for its read buffer? {@code input()}, touch one byte, for 64 channels in turn: the figure to
 * set beside the floor of {@link MixedLane}, which runs here as well for the same 64 turns.
 *
 * <p>{@code java -jar buffers-bench/target/buffers-bench.jar jmh ChannelLane -prof gc}
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(5)
@State(Scope.Thread)
public class ChannelLane {
    private static final int CHANNELS = 64;

    private final ChannelBuffers[] channels = new ChannelBuffers[CHANNELS];
    private final Contender floor = Contenders.floor.make(8192);

    @SuppressWarnings("NullAway.Init") // JMH sets it
    private BufferPool pool;

    private int next;

    /** Opens the channels, each with its input. */
    @Setup(Level.Trial)
    public void open() {
        pool = BufferPool.create("lanes");
        for (int i = 0; i < CHANNELS; i++) {
            channels[i] = pool.channel();
            channels[i].input();
        }
        System.gc();
        System.gc();
    }

    /** Closes them, and checks that nothing is left. */
    @TearDown(Level.Trial)
    public void close() {
        for (ChannelBuffers channel : channels) {
            channel.close();
        }
        if (pool.stats().leases() != 0) {
            throw new IllegalStateException("leases are still out: " + pool.stats());
        }
        pool.close();
    }

    /** The channel's own buffer. */
    @Benchmark
    public ByteBuffer input() {
        ByteBuffer buffer = channels[next++ & CHANNELS - 1].input();
        buffer.put(0, (byte) next);
        return buffer;
    }

    /** The floor: a buffer from a thread-local stack, and back. */
    @Benchmark
    public int inputFloor() {
        next++;
        return floor.cycle(8192);
    }
}
