// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.pools;

import dev.buffers.BufferPool;
import dev.buffers.ChannelBuffers;
import dev.buffers.bench.pools.contenders.Contender;
import dev.buffers.bench.pools.contenders.Contenders;
import dev.buffers.bench.pools.contenders.Pools;
import java.util.function.IntUnaryOperator;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/**
 * What does a busy connection pay for its read buffer? {@code input()}, touch one byte, for 64 channels in turn; beside it the floor,
 * which acquires and releases for each of the same 64 turns.
 */
public class ChannelBenchmark extends Timed {
    private static final int CHANNELS = 64;
    private static final int SIZE = 8 << 10;

    @Param({"buffers", "floor"})
    public Contenders contender;

    private final BufferPool pool = BufferPool.create("bench");
    private final ChannelBuffers[] channels = new ChannelBuffers[CHANNELS];
    private IntUnaryOperator touch;
    private int next;

    @Override
    public void open() {
        for (int i = 0; i < CHANNELS; i++) {
            channels[i] = pool.channel();
            channels[i].input();
        }
        Contender floor = Contenders.floor.make(SIZE);
        touch = contender == Contenders.floor ? turn -> floor.cycle(SIZE) : this::input;
        promote();
    }

    @Override
    public void close() {
        for (ChannelBuffers channel : channels) {
            channel.close();
        }
        Pools.closeQuiet(pool);
    }

    @Benchmark
    public int turn() {
        return touch.applyAsInt(next++);
    }

    private int input(int turn) {
        return channels[turn & CHANNELS - 1].input().put(0, (byte) turn).capacity();
    }
}
