package dev.buffers.internal.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.buffers.BufferPool;
import dev.buffers.ChannelBuffers;
import dev.buffers.LeakTracking;
import dev.buffers.PoolSettings;
import dev.buffers.PooledBuffer;
import dev.buffers.internal.settings.ResolvedSettings;
import dev.buffers.internal.slab.AcquireTrace;
import dev.buffers.support.Conservation;
import dev.buffers.support.Explicit;
import dev.buffers.support.Peek;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class SpecialPoolTest {
    private static final int SIZE = 100;

    private static BufferPool.Builder builder() {
        return BufferPool.builder("special-pool").policy("heap-view").max(1 << 20);
    }

    /** Every way to a lease. */
    static Stream<Function<BufferPool, PooledBuffer>> ways() {
        return Stream.of(
                pool -> pool.acquire(SIZE),
                pool -> pool.tryAcquire(SIZE),
                pool -> pool.acquire(SIZE, Duration.ofSeconds(1)),
                pool -> {
                    ChannelBuffers channel = pool.channel();
                    channel.acquire(SIZE).release(); // it comes back to the channel
                    return channel.acquire(SIZE);
                });
    }

    @ParameterizedTest
    @CsvSource({
        "zero, acquire, true",
        "zero, release, false",
        "leaks, all, true",
        "leaks, sample:9, true",
        "leaks, count, false",
        "guard, on, true",
        "leases, recycled, false"
    })
    void itIsAskedForByWhatIsDoneToALease(String key, String value, boolean asked) {
        PoolSettings settings =
                ResolvedSettings.resolve("special", new Explicit(), Map.of("buffers.special." + key, value), Map.of());
        assertEquals(asked, SpecialPool.isAskedFor(settings));
    }

    @ParameterizedTest
    @MethodSource("ways")
    void withZeroAtAcquireNothingOfTheLastHolderIsLeft(Function<BufferPool, PooledBuffer> way) {
        try (BufferPool pool = builder().zero(PoolSettings.Zeroing.ACQUIRE).build()) {
            List<PooledBuffer> dirty = List.of(pool.acquire(SIZE), pool.acquire(SIZE));
            for (PooledBuffer lease : dirty) {
                lease.buffer().clear().put(new byte[lease.capacity()]).put(lease.capacity() - 1, (byte) 7);
                lease.release();
            }
            try (PooledBuffer lease = way.apply(pool)) {
                ByteBuffer view = lease.buffer();
                assertEquals(SIZE, view.limit());
                assertEquals(0, view.position());
                assertEquals(0, view.limit(view.capacity()).get(view.capacity() - 1));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("ways")
    void aTraceIsKeptWhereItIsWanted(Function<BufferPool, PooledBuffer> way) {
        try (BufferPool pool = builder().leaks(LeakTracking.all()).build();
                PooledBuffer lease = way.apply(pool)) {
            AcquireTrace trace = Peek.slot(lease).trace;
            assertNotNull(trace);
            assertEquals(SIZE, trace.size);
        }
    }

    @ParameterizedTest
    @MethodSource("ways")
    void theGuardLendsAViewOfItsOwn(Function<BufferPool, PooledBuffer> way) {
        try (BufferPool pool = builder().guard(true).build();
                PooledBuffer lease = way.apply(pool)) {
            assertNotNull(Peek.slot(lease).trace);
            ByteBuffer lent = lease.buffer();
            assertSame(lent, lease.buffer());
            assertEquals(SIZE, lent.remaining());
        }
    }

    @Test
    void leasesAreRecycledHereToo() {
        UnaryOperator<BufferPool.Builder> zero = it -> it.zero(PoolSettings.Zeroing.ACQUIRE);
        try (BufferPool fresh = zero.apply(builder()).build();
                BufferPool recycled = zero.apply(builder())
                        .leases(PoolSettings.LeaseMode.RECYCLED)
                        .build()) {
            PooledBuffer first = fresh.acquire(SIZE);
            first.release();
            PooledBuffer second = fresh.acquire(SIZE);
            assertNotSame(first, second);
            second.release();
            PooledBuffer third = recycled.acquire(SIZE);
            third.release();
            PooledBuffer fourth = recycled.acquire(SIZE);
            assertSame(third, fourth);
            fourth.release();
        }
    }

    @Test
    void atTheCapThereIsNothingToPrepare() {
        try (BufferPool pool = builder().max(4096).leaks(LeakTracking.all()).build()) {
            PooledBuffer all = pool.acquire(4096);
            assertNull(pool.tryAcquire(4096));
            all.release();
            Conservation.check(pool);
        }
        assertThrows(IllegalArgumentException.class, () -> builder().max(0));
    }
}
