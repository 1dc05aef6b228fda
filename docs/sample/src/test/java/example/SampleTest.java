package example;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.buffers.BufferPool;
import dev.buffers.junit.CheckedPool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a user's test looks like; a lease that it left open would fail it. */
@ExtendWith(CheckedPool.class)
class SampleTest {
    @Test
    void greets(BufferPool pool) throws Exception {
        assertEquals("hello", Sample.greet(pool));
        assertEquals(0, pool.stats().leases());
    }
}
