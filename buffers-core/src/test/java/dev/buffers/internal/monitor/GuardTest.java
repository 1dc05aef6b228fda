package dev.buffers.internal.monitor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.buffers.BufferPool;
import dev.buffers.PooledBuffer;
import dev.buffers.internal.slab.Slab;
import dev.buffers.support.Conservation;
import dev.buffers.support.Kind;
import dev.buffers.support.Logged;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The guard sees the first byte and the last of what it looks at. */
class GuardTest {
    private static final int CAPACITY = 1024;

    private final Logged log = new Logged("edges");
    private final BufferPool pool =
            Kind.fresh("heap-view").builder("edges").guard(true).build();

    @AfterEach
    void close() {
        Conservation.check(pool);
        pool.close();
        log.close();
    }

    private void assertFound(String where) {
        assertEquals(1, log.lines("").size());
        assertEquals(1, log.lines(where).size(), () -> log.lines("").toString());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, CAPACITY - 1})
    void aWriteToTheFirstOrTheLastByteIsFound(int at) {
        PooledBuffer lease = pool.acquire(CAPACITY);
        ByteBuffer kept = lease.buffer();
        lease.release();
        kept.put(at, (byte) 1);
        pool.trim(); // ends the time for which it is kept aside
        assertFound("found here, at offset " + at + "\n");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, Slab.CANARIES - 1})
    void anOverrunOfTheFirstOrTheLastByteBetweenIsFound(int at) {
        PooledBuffer lease = pool.acquire(CAPACITY);
        ByteBuffer bytes = lease.buffer();
        bytes.array()[bytes.arrayOffset() + CAPACITY + at] = 1;
        lease.release();
        assertFound("found here, " + at + " bytes behind the buffer\n");
    }

    @Test
    void whatIsWrittenWhileItIsLeasedIsNoFinding() {
        PooledBuffer lease = pool.acquire(CAPACITY);
        lease.buffer().put(0, (byte) 1).put(CAPACITY - 1, (byte) 1);
        lease.release();
        pool.trim();
        assertEquals(0, log.lines("").size());
    }
}
