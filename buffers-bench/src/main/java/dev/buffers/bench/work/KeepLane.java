package dev.buffers.bench.work;

import dev.buffers.bench.lanes.Timed;
import java.io.IOException;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * What is it worth to keep a buffer for all I/O of a channel? One write and the reads that bring it to the other end of a
 * connection over the loopback, with buffers that are kept, pooled or allocated each time. A thread has both ends, so that no
 * operation waits for another thread to wake up. What has arrived is checked each time by a stamp.
 */
@State(Scope.Thread)
@SuppressWarnings("NullAway.Init") // JMH sets the parameters and calls the set-up
public class KeepLane extends Timed {

    /** Whose buffers. */
    @Param
    public Strategy strategy;

    /** Bytes. */
    @Param({"1024", "65536"})
    public int size;

    /** Of the pool, where one is used. */
    @Param("direct-view")
    public String policy;

    private Loopback sockets;
    private Exchange exchange;
    private long stamp;

    /** Connects. */
    @Setup(Level.Trial)
    public void open() throws IOException {
        int room = Math.max(1 << 16, 4 * size);
        sockets = Loopback.connect(room, room);
        exchange = strategy.open(sockets, size, policy);
    }

    /** Disconnects, and checks that nothing is left. */
    @TearDown(Level.Trial)
    public void close() throws IOException {
        sockets.close();
        exchange.close();
    }

    /** One write, and reads until all has come: one, as a rule. */
    @Benchmark
    public long exchange() throws IOException {
        exchange.exchange(++stamp);
        return stamp;
    }

    /** Whose buffers are used. */
    public enum Strategy {
        /** One plain direct buffer for each end, as long as the connection lives. */
        kept,
        /** This library's {@code ChannelBuffers}, one for each end. */
        channelBuffers,
        /** This library, a lease for each write and for each message read. */
        acquire,
        /** {@code ByteBuffer.allocateDirect} for each. */
        allocateDirect,
        /** {@code ByteBuffer.allocate} for each. */
        allocateHeap;

        private Exchange open(Loopback sockets, int size, String policy) {
            return switch (this) {
                case kept -> new Exchange.Kept(sockets, size);
                case channelBuffers -> new Exchange.OfChannels(sockets, size, policy);
                case acquire -> new Exchange.Acquired(sockets, size, policy);
                case allocateDirect -> new Exchange.Allocated(sockets, size, true);
                case allocateHeap -> new Exchange.Allocated(sockets, size, false);
            };
        }
    }
}
