// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.PoolStats;
import dev.buffers.PooledBuffer;
import dev.buffers.ReleaseOutcome;
import java.util.List;
import java.util.stream.Stream;

/**
 * The pool that transfers and streams are tested on: a policy, with or without guard. By default tests run on the four that
 * differ for their caller: a separate array ({@code heap}), direct memory ({@code direct-view}), memory as large as was asked for
 * ({@code unpooled}), and with guard a part of an array between fences ({@code heap-view}), where each use after the release is an error.
 * With {@code -Dtest.kinds=all} they run on all of them.
 */
public record PoolKind(String policy, boolean guard) {
    public static Stream<PoolKind> all() {
        return Stream.of("heap", "direct", "heap-view", "direct-view", "unpooled")
                .flatMap(policy -> Stream.of(false, true).map(guard -> new PoolKind(policy, guard)));
    }

    /** Those that differ for their caller, or all of them if the build asks for that. */
    public static Stream<PoolKind> chosen() {
        return all().filter(kind -> Kind.areAllChosen() || kind.differs());
    }

    private boolean differs() {
        return switch (policy) {
            case "heap", "direct-view", "unpooled" -> !guard;
            case "heap-view" -> guard;
            default -> false;
        };
    }

    public static PoolKind of(String policy) {
        return new PoolKind(policy, false);
    }

    public BufferPool.Builder builder() {
        return builder("transfers");
    }

    private BufferPool.Builder builder(String name) {
        return BufferPool.builder(name).policy(policy).guard(guard).max(64 << 20);
    }

    /** With room for a few buffers of that size, so that a test can acquire all of them. */
    public BufferPool pool(String name, int size) {
        return builder(name)
                .max(Math.max(16 << 10, 16 * size))
                .regionSize(Math.max(16 << 10, 4 * size))
                .build();
    }

    public boolean isDirect() {
        return policy.startsWith("direct");
    }

    /** How many runs of a random test; those with guard take a stack for each lease. */
    public int seeds() {
        return guard ? 1 : 6;
    }

    public static void giveBack(List<PooledBuffer> leases) {
        leases.forEach(PooledBuffer::release);
        leases.clear();
    }

    /** Nothing is out, and every byte is accounted for. */
    public static void assertNothingOut(BufferPool pool) {
        PoolStats stats = pool.stats();
        assertEquals(0, stats.leases(), stats::toString);
        assertEquals(0, stats.leasedBytes(), stats::toString);
        assertTrue(stats.lostBytes() == 0 || stats.releases(ReleaseOutcome.DISCARDED) > 0, stats::toString);
        assertEquals(
                stats.reservedBytes(),
                stats.cachedBytes() + stats.uncarvedBytes() + stats.lostBytes(),
                stats::toString);
        assertTrue(stats.reservedBytes() + stats.droppedBytes() <= stats.maxBytes(), stats::toString);
    }

    @Override
    public String toString() {
        return policy + (guard ? ", guard" : "");
    }
}
