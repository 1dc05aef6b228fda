package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openjdk.jol.info.GraphLayout;

/** An idle connection costs at most 80 bytes, and holds no slot. */
@Tag("jol")
class ChannelFootprintTest {

    @Test
    void anIdleChannelIsSmall() {
        try (BufferPool pool =
                BufferPool.builder("footprint").policy("heap-view").max(1 << 20).build()) {
            List<ChannelBuffers> idle = new ArrayList<>();
            ChannelBuffers used = pool.channel();
            idle.add(pool.channel());
            idle.add(used);
            used.input().put((byte) 1);
            used.acquire(100).release();
            PooledBuffer handed = used.handOffInput();
            used.input();
            used.idle();
            handed.release();
            for (ChannelBuffers channel : idle) {
                GraphLayout all = GraphLayout.parseInstance(channel, pool);
                GraphLayout others = GraphLayout.parseInstance(pool);
                long own = all.subtract(others).totalSize();
                assertTrue(own > 0 && own <= 80, () -> "bytes of an idle channel: " + own);
            }
            assertEquals(0, Conservation.check(pool).leases());
            pool.trim();
            assertEquals(0, Conservation.check(pool).reservedBytes());
            idle.forEach(ChannelBuffers::close);
        }
    }
}
