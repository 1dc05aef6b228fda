// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.pools;

import dev.buffers.BufferPool;
import dev.buffers.ChannelBuffers;
import dev.buffers.bench.harness.Comparison;
import dev.buffers.bench.harness.PassContestant;
import dev.buffers.bench.jvm.Footprint;
import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.Map;

/**
 * What does an idle connection cost in buffers? Heap and direct memory for each of 100,000 connections that have read something and now
 * wait: with {@link ChannelBuffers} after {@code idle()}, and with a separate direct buffer for each, as servers without a pool do.
 *
 * <p>There is nothing to measure of the other pools here: an idle connection of Netty, Jetty, Undertow or Grizzly holds none of their
 * buffers, just as it holds none of our buffers. Other memory that those frameworks keep for it is not the pool's.
 */
public final class IdleConnections implements PassContestant.Pass {
    private static final int COUNT = 100_000;
    private static final int FEWER = 10_000;
    private static final int SIZE = 8 << 10;

    @Override
    public Map<String, Double> run(Map<String, String> parameters) throws IOException, InterruptedException {
        boolean little = parameters.containsKey(Comparison.LITTLE);
        boolean pooled = "buffers".equals(parameters.get("contender"));
        return Map.of("kept", pooled ? channels(little ? 1000 : COUNT) : ownBuffers(little ? 100 : FEWER));
    }

    private static double channels(int count) throws IOException, InterruptedException {
        try (BufferPool pool = BufferPool.create("bench")) {
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
