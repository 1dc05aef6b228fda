package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What a hit allocates once HotSpot has compiled it (I2): nothing for a lease that stays in its method or is recycled, 32 bytes at most
 * for a fresh one that leaves it. In JVMs of their own, where no other test has had a say in how the path of a hit is compiled.
 */
class AllocationTest {

    /** Runs so many hits again and again, until that many allocate no more than {@code -Dmost} bytes each; not for ever. */
    static final class Hits {
        private static final int HITS = 1_000_000;
        private static final long DEADLINE = Eventually.deadline();
        private static final int[] SIZES = {100, 16_000, 4096, 500, 8192, 1500, 64, 4096};

        /** Where leases go that leave their method. */
        private static final PooledBuffer[] OUT = new PooledBuffer[32];

        public static void main(String[] args) {
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            boolean local = Boolean.getBoolean("local");
            long most = Long.getLong("most") * HITS;
            long allocated = Long.MAX_VALUE;
            try (BufferPool pool = BufferPool.create("hits")) {
                while (allocated > most && !Eventually.isPast(DEADLINE)) {
                    long before = threads.getCurrentThreadAllocatedBytes();
                    if (local) {
                        local(pool);
                    } else {
                        escaping(pool);
                    }
                    allocated = threads.getCurrentThreadAllocatedBytes() - before;
                }
                for (PooledBuffer lease : OUT) {
                    if (lease != null) {
                        lease.release();
                    }
                }
                PoolStats stats = Conservation.check(pool);
                long misses = stats.acquires(AcquireOutcome.DEPOT) + stats.acquires(AcquireOutcome.CARVED);
                System.out.println(
                        (allocated > most ? "bytes for each hit: " + (double) allocated / HITS : "as promised")
                                + (misses > stats.acquires(AcquireOutcome.THREAD) / 1000 ? ", but no hits" : ""));
            }
        }

        private static void local(BufferPool pool) {
            for (int i = 0; i < HITS; i++) {
                try (PooledBuffer lease = pool.acquire(SIZES[i & SIZES.length - 1])) {
                    lease.buffer().put(0, (byte) i);
                }
            }
        }

        private static void escaping(BufferPool pool) {
            for (int i = 0; i < HITS; i++) {
                int at = i & OUT.length - 1;
                if (OUT[at] != null) {
                    OUT[at].release();
                }
                OUT[at] = pool.acquire(SIZES[i & SIZES.length - 1]);
                OUT[at].buffer().put(0, (byte) i);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"fresh, true, 0", "fresh, false, 32", "recycled, true, 0", "recycled, false, 0"})
    void aHit(String leases, boolean local, int most) throws Exception {
        String found = Jvm.run(
                Hits.class,
                "-XX:TieredStopAtLevel=4",
                "-Dbuffers.leases=" + leases,
                "-Dlocal=" + local,
                "-Dmost=" + most);
        assertEquals("as promised\n", found);
    }
}
