package dev.buffers;

import dev.buffers.support.DirectRoom;
import dev.buffers.support.Overflow;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** I10 for what Java 17 has not: stacks of virtual threads that overflow, and memory that is given back at once. */
class OverflowVirtualTest {

    private static BufferPool.Builder builder() {
        DirectRoom.make();
        return BufferPool.builder("overflow").max(32 << 20);
    }

    @ParameterizedTest
    @EnumSource
    void freshLeasesOnAVirtualThread(Overflow.Kind kind) throws Exception {
        Overflow.run(builder().build(), kind, 20, 42, Thread.ofVirtual()::unstarted);
    }

    @ParameterizedTest
    @EnumSource
    void recycledLeasesOnAVirtualThread(Overflow.Kind kind) throws Exception {
        BufferPool pool = builder().leases(PoolSettings.LeaseMode.RECYCLED).build();
        Overflow.run(pool, kind, 20, 42, Thread.ofVirtual()::unstarted);
    }

    @ParameterizedTest
    @EnumSource
    void memoryThatIsGivenBackAtOnce(Overflow.Kind kind) throws Exception {
        Overflow.run(builder().free(PoolSettings.Freeing.PROMPT).build(), kind, 20, 42);
    }
}
