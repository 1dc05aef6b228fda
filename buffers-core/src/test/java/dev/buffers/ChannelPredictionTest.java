// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.buffers.support.Conservation;
import dev.buffers.support.ScriptedChannel;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A prediction is a wish: it may not cost a connection the buffer that it has, or could have (I5). */
class ChannelPredictionTest {

    @Test
    void aWishForALargerInputIsNoReasonToRefuseARead() throws IOException {
        try (BufferPool pool =
                BufferPool.builder("wish").policy("heap-view").max(64 << 10).build()) {
            ChannelBuffers channel = pool.channel();
            channel.readFrom(new ScriptedChannel().reads(8192)); // fills the input: the next one should be of 16 KiB
            channel.input().clear();
            List<PooledBuffer> rest = new ArrayList<>();
            for (PooledBuffer lease = pool.tryAcquire(8192); lease != null; lease = pool.tryAcquire(8192)) {
                rest.add(lease);
            }
            assertEquals(10, channel.readFrom(new ScriptedChannel().reads(10)));
            rest.forEach(PooledBuffer::release);
            channel.close();
            Conservation.check(pool);
        }
    }
}
