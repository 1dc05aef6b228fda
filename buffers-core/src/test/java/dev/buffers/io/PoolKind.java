package dev.buffers.io;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.buffers.BufferPool;
import dev.buffers.PoolSettings;
import java.util.stream.Stream;

/** What a transfer is tested on: each policy, each kind of lease, and with the guard. */
record PoolKind(String policy, PoolSettings.LeaseMode leases, boolean guard) {
    static Stream<PoolKind> all() {
        return Stream.of("heap", "direct", "heap-view", "direct-view", "unpooled")
                .flatMap(policy -> Stream.of(
                        new PoolKind(policy, PoolSettings.LeaseMode.FRESH, false),
                        new PoolKind(policy, PoolSettings.LeaseMode.RECYCLED, false),
                        new PoolKind(policy, PoolSettings.LeaseMode.FRESH, true)));
    }

    static PoolKind of(String policy) {
        return new PoolKind(policy, PoolSettings.LeaseMode.FRESH, false);
    }

    BufferPool.Builder builder() {
        return BufferPool.builder("transfers")
                .policy(policy)
                .leases(leases)
                .guard(guard)
                .max(64 << 20);
    }

    boolean isDirect() {
        return policy.startsWith("direct");
    }

    static void assertNothingOut(BufferPool pool) {
        assertEquals(0, pool.stats().leases(), "leases");
        assertEquals(0, pool.stats().leasedBytes(), "leased bytes");
    }

    @Override
    public String toString() {
        return policy + ", " + leases + (guard ? ", guard" : "");
    }
}
