// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.support.Conservation;
import dev.buffers.support.Eventually;
import dev.buffers.support.PoolContract;
import dev.buffers.support.Refusal;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** A pool that closes: open leases stay usable, further acquires fail, and the memory goes with the last lease. */
@ParameterizedClass
@MethodSource("dev.buffers.support.Kind#chosen")
class CloseContractTest extends PoolContract {

    @Test
    void nothingIsAcquiredAfterwards() {
        BufferPool pool = pool();
        ChannelBuffers channel = pool.channel();
        channel.acquire(100).release();
        pool.acquire(4096).release();
        pool.close();
        assertEquals(
                "pool is closed: pool=" + pool.name(),
                Refusal.of(IllegalStateException.class, () -> pool.acquire(100)));
        assertThrows(IllegalStateException.class, () -> pool.acquire(4096));
        assertThrows(IllegalStateException.class, () -> pool.acquire(1 << 20));
        assertThrows(IllegalStateException.class, () -> pool.acquire(-1));
        assertThrows(IllegalStateException.class, () -> pool.acquire(-1, Duration.ofSeconds(1)));
        assertThrows(IllegalStateException.class, () -> pool.tryAcquire(100));
        assertThrows(IllegalStateException.class, () -> pool.tryAcquire(-1));
        assertThrows(IllegalStateException.class, () -> pool.whenAvailable(100, () -> {}));
        assertThrows(IllegalStateException.class, () -> pool.whenAvailable(-1, () -> {}));
        assertThrows(IllegalStateException.class, pool::channel);
        assertThrows(IllegalStateException.class, pool::trim);
        assertThrows(IllegalStateException.class, () -> channel.acquire(100));
        assertThrows(IllegalStateException.class, channel::input);
        channel.close();
    }

    @Test
    void theMemoryGoesWithTheLastLease() {
        BufferPool pool = pool();
        PooledBuffer one = pool.acquire(100);
        PooledBuffer two = pool.acquire(100);
        PooledBuffer part = two.slice(0, 10);
        PooledBuffer large = pool.acquire(1 << 20);
        pool.acquire(8192).release();
        pool.close();
        Conservation.check(pool, 3);
        one.buffer().putLong(0, 42);
        assertTrue(large.release());
        assertTrue(one.release());
        assertFalse(two.release());
        assertTrue(pool.stats().reservedBytes() > 0);
        part.buffer().put(0, (byte) 1);
        assertTrue(part.release());
        PoolStats stats = Conservation.check(pool);
        assertEquals(0, stats.reservedBytes());
        assertEquals(0, stats.regions());
        assertThrows(IllegalStateException.class, one::release);
        assertEquals(1, pool.stats().releases(ReleaseOutcome.INVALID));
    }

    @Test
    void retainAndDiscardStillWork() {
        BufferPool pool = pool();
        PooledBuffer lease = pool.acquire(100);
        pool.close();
        PooledBuffer further = lease.retain();
        assertFalse(lease.release());
        further.discard();
        PoolStats stats = Conservation.check(pool);
        assertEquals(0, stats.reservedBytes());
        assertEquals(1, stats.releases(ReleaseOutcome.DISCARDED));
    }

    @Test
    void droppedRegionsAreCollected() {
        BufferPool pool = pool();
        pool.acquire(4096).release();
        PooledBuffer out = pool.acquire(4096);
        pool.close();
        out.release();
        Eventually.collected(
                "the regions of a closed pool go", () -> pool.stats().droppedBytes() == 0);
    }

    @Test
    void aNameInUseGetsANumberAndIsFreeAgainAfterwards() {
        BufferPool one = pool(kind.builder("named"));
        BufferPool two = pool(kind.builder("named"));
        BufferPool three = pool(kind.builder("named"));
        assertEquals(List.of("named", "named-2", "named-3"), List.of(one.name(), two.name(), three.name()));
        assertEquals("named-2", two.settings().name());
        assertEquals("named", two.settings().keyName());
        assertTrue(
                two.settings().toString().startsWith("pool named-2, with the keys of named\n"),
                two.settings().toString());
        assertTrue(
                one.settings().toString().startsWith("pool named\n"),
                one.settings().toString());
        two.close();
        two.close();
        assertEquals("named-2", pool(kind.builder("named")).name());
        one.close();
        assertEquals("named", pool(kind.builder("named")).name());
    }
}
