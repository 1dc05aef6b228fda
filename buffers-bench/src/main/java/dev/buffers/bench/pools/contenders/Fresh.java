// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.pools.contenders;

import dev.buffers.bench.jvm.DirectMemory;
import java.nio.ByteBuffer;

/** No pool: the JDK's own buffer each time, left to the collector. */
final class Fresh implements Contender {
    private final DirectMemory memory = new DirectMemory();
    private final boolean direct;

    Fresh(boolean direct) {
        this.direct = direct;
    }

    @Override
    public Object acquire(int size) {
        return direct ? ByteBuffer.allocateDirect(size) : ByteBuffer.allocate(size);
    }

    @Override
    public void release(Object lease) {}

    @Override
    public long keptBytes() {
        return direct ? memory.growth() : 0;
    }
}
