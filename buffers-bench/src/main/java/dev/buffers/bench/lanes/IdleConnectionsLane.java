package dev.buffers.bench.lanes;

import dev.buffers.BufferPool;
import dev.buffers.ChannelBuffers;
import dev.buffers.bench.claims.Depth;
import dev.buffers.bench.claims.Figure;
import dev.buffers.bench.jvm.Footprint;
import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.Map;

/**
 * What does an idle connection cost in buffers? Heap and direct memory for each of 100,000 connections that have read something and now
 * wait: with {@link ChannelBuffers} after {@code idle()}, and with a direct buffer of its own for each, as servers without a pool do.
 *
 * <p>There is nothing to measure of the other pools here: an idle connection of Netty, Jetty, Undertow or Grizzly holds none of their
 * buffers, as it holds none of ours, and what else those frameworks keep for it is not the pool's.
 */
final class IdleConnectionsLane extends MemoryLane {
    /** The contender with a buffer of its own for each connection. */
    static final String OWN = "ownBuffer";

    /** This library's. */
    static final String CHANNELS = "buffers";

    /** What the design allows to be kept for each. */
    static final double BAR = 80;

    private static final Figure KEPT_EACH = new Figure(KEPT.name(), "B/connection", false);

    private static final int COUNT = 100_000;
    private static final int FEWER = 10_000;
    private static final int SIZE = 8 << 10;

    IdleConnectionsLane() {
        super("memory-idle", "What does an idle connection cost in buffers?", 1.5, KEPT_EACH);
        from(Depth.QUICK, CHANNELS);
        from(Depth.FULL, OWN);
    }

    @Override
    Map<String, Double> run(String contender, boolean little) throws IOException, InterruptedException {
        return Map.of(
                KEPT.name(),
                contender.equals(OWN) ? ownBuffers(little ? 100 : FEWER) : channels(little ? 1000 : COUNT));
    }

    private static double channels(int count) throws IOException, InterruptedException {
        try (BufferPool pool = BufferPool.create("lanes")) {
            use(pool.channel());
            ChannelBuffers[] channels = new ChannelBuffers[count];
            Footprint before = Footprint.collected();
            for (int i = 0; i < count; i++) {
                channels[i] = use(pool.channel());
            }
            Footprint after = Footprint.collected();
            if (pool.stats().leasedBytes() != 0) {
                throw new IllegalStateException("an idle connection holds a slot: " + pool.stats());
            }
            for (ChannelBuffers channel : channels) {
                channel.close();
            }
            return after.growth(before) / count;
        }
    }

    /** Reads something, uses it up, and waits. */
    private static ChannelBuffers use(ChannelBuffers channel) {
        ByteBuffer input = channel.input();
        input.put((byte) 1).flip().get();
        input.compact();
        channel.idle();
        return channel;
    }

    private static double ownBuffers(int count) throws IOException, InterruptedException {
        ByteBuffer[] buffers = new ByteBuffer[count];
        Footprint before = Footprint.collected();
        try {
            for (int i = 0; i < count; i++) {
                buffers[i] = ByteBuffer.allocateDirect(SIZE).put((byte) 1).clear();
            }
            return Footprint.collected().growth(before) / count;
        } finally {
            Reference.reachabilityFence(buffers);
        }
    }
}
