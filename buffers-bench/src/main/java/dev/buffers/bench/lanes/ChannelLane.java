package dev.buffers.bench.lanes;

import dev.buffers.BufferPool;
import dev.buffers.ChannelBuffers;
import dev.buffers.bench.lanes.contenders.Contender;
import dev.buffers.bench.lanes.contenders.Contenders;
import java.util.function.IntUnaryOperator;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * What does a busy connection pay for its read buffer? {@code input()}, touch one byte, for 64 channels in turn; beside it the floor,
 * which acquires and releases for each of the same 64 turns.
 */
@State(Scope.Thread)
@SuppressWarnings("NullAway.Init") // JMH sets the parameters and calls the set-up
public class ChannelLane extends Timed {
    private static final int CHANNELS = 64;
    private static final int SIZE = 8 << 10;

    /** Whose buffer it is. */
    @Param({"buffers", "floor"})
    public Contenders contender;

    private final ChannelBuffers[] channels = new ChannelBuffers[CHANNELS];

    private BufferPool pool;
    private IntUnaryOperator touch;
    private int next;

    /** Opens the channels, each with its input. */
    @Setup(Level.Trial)
    public void open() {
        pool = BufferPool.create("lanes");
        for (int i = 0; i < CHANNELS; i++) {
            channels[i] = pool.channel();
            channels[i].input();
        }
        Contender floor = Contenders.floor.make(SIZE);
        touch = contender == Contenders.floor ? turn -> floor.cycle(SIZE) : this::input;
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

    /** The next channel's turn. */
    @Benchmark
    public int turn() {
        return touch.applyAsInt(next++);
    }

    private int input(int turn) {
        return channels[turn & CHANNELS - 1].input().put(0, (byte) turn).capacity();
    }
}
