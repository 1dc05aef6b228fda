// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.pools;

import dev.buffers.bench.pools.contenders.Contender;

/** A contender that gives the same memory to every acquire. */
final class SameForAll implements Contender {
    private final byte[] memory = new byte[Sizes.MAX];

    @Override
    public Object acquire(int size) {
        return memory;
    }

    @Override
    public void put(Object lease, int index, byte value) {
        memory[index] = value;
    }

    @Override
    public byte get(Object lease, int index) {
        return memory[index];
    }

    @Override
    public void release(Object lease) {}

    @Override
    public long keptBytes() {
        return memory.length;
    }
}
