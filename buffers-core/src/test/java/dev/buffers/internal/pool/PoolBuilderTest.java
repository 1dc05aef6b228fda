package dev.buffers.internal.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.buffers.BufferPool;
import dev.buffers.LeakReport;
import dev.buffers.support.Eventually;
import dev.buffers.support.Peek;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class PoolBuilderTest {

    @Test
    void aPoolHasTheNameAndTheSettingsOfItsBuilder() {
        BufferPool.Builder builder =
                new PoolBuilder("built").policy("heap-view").max(1 << 20);
        try (BufferPool pool = builder.build();
                BufferPool second = builder.max(2 << 20).build()) {
            assertNotSame(pool, second);
            assertEquals("built", pool.name());
            assertEquals("built-2", second.name());
            assertEquals(1 << 20, pool.settings().maxBytes());
            assertEquals(2 << 20, second.settings().maxBytes());
        }
    }

    @Test
    void lossesAreToldToItsListener() {
        List<LeakReport> told = new CopyOnWriteArrayList<>();
        try (BufferPool pool = new PoolBuilder("built-listening")
                .policy("heap-view")
                .max(1 << 20)
                .onLeak(told::add)
                .build()) {
            Peek.slot(pool.acquire(100)).enqueue();
            Eventually.holds("the listener is told", () -> told.size() == 1);
        }
    }

    @Test
    void aNameThatCannotBeOneIsRefusedWhenThePoolIsBuilt() {
        assertThrows(IllegalArgumentException.class, () -> new PoolBuilder("a.b").build());
    }
}
