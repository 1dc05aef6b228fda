// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.signals;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPolicy;
import dev.buffers.LeakTracking;
import dev.buffers.PoolSettings;
import dev.buffers.support.BareOwner;
import dev.buffers.support.Explicit;
import dev.buffers.support.Kind;
import dev.buffers.support.Threads;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PoolStateTest {
    private BareOwner pool = new BareOwner();

    @AfterEach
    void free() {
        pool.close();
    }

    private static String refusal(Runnable call) {
        return assertThrows(IllegalStateException.class, call::run).getMessage();
    }

    /** A policy that does this when it is asked for memory. */
    private static BufferPolicy policy(Runnable asked) {
        return Kind.own(bytes -> {
            asked.run();
            return ByteBuffer.allocate(bytes);
        });
    }

    @Test
    void beginCloseSucceedsOnce() {
        pool.checkCaller();
        assertTrue(pool.beginClose());
        assertFalse(pool.beginClose());
        assertTrue(pool.isClosed());
        assertEquals("pool is closed: pool=" + pool.name(), refusal(pool::checkCaller));
        pool.checkPolicy();
    }

    @Test
    void signalsAreIndependent() {
        pool.signal(PoolState.PRESSURE, true);
        pool.signal(PoolState.ZERO, true);
        pool.signal(PoolState.PRESSURE, false);
        assertFalse(pool.isUnderPressure());
        assertTrue(pool.zeroesOnRelease());
        assertFalse(pool.isClosed());
    }

    @Test
    void zeroOnReleaseIsSignalled() {
        assertEquals(0, pool.signals);
        pool.close();
        pool = new BareOwner((Explicit) new Explicit().zero(PoolSettings.Zeroing.RELEASE));
        assertEquals(PoolState.ZERO, pool.signals);
    }

    @Test
    void policyMustNotCallItsPool() {
        AtomicInteger asked = new AtomicInteger();
        BareOwner other = new BareOwner();
        pool.allocate(
                policy(() -> {
                    asked.incrementAndGet();
                    String refused = refusal(pool::checkCaller);
                    assertTrue(refused.startsWith("a policy must not call the pool that called it"), refused);
                    other.checkCaller();
                    assertRunsElsewhere(pool::checkCaller);
                }),
                10);
        assertEquals(1, asked.get());
        pool.checkCaller();
        other.close();
    }

    private static void assertRunsElsewhere(Runnable call) {
        try {
            Threads.run(call::run);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void policyThatThrowsNoLongerRuns() {
        BufferPolicy throwing = policy(() -> {
            throw new UnsupportedOperationException("no memory today");
        });
        assertThrows(UnsupportedOperationException.class, () -> pool.allocate(throwing, 10));
        pool.addSizeListener(size -> {}); // from now on each call looks whether its thread runs a user's code
        pool.checkCaller();
        assertEquals(PoolState.WATCHED, pool.signals);
    }

    @Test
    void acquiresAreWatchedWhileListenersExist() {
        IntConsumer listener = size -> {};
        assertFalse(pool.watchesAcquires());
        pool.addSizeListener(listener);
        pool.addSizeListener(listener);
        pool.removeSizeListener(listener);
        assertTrue(pool.watchesAcquires());
        pool.removeSizeListener(listener);
        assertFalse(pool.watchesAcquires());
    }

    @Test
    void lastListenerLeavesAcquiresWatchedForOtherReasons() {
        IntConsumer listener = size -> {};
        pool.leaks(LeakTracking.all());
        pool.addSizeListener(listener);
        pool.removeSizeListener(listener);
        assertTrue(pool.watchesAcquires());
        pool.leaks(LeakTracking.count());
        assertFalse(pool.watchesAcquires());
    }

    @Test
    void concurrentSignalsDoNotOverwriteEachOther() throws Exception {
        AtomicInteger bits = new AtomicInteger();
        Threads.together(Collections.nCopies(4, () -> {
            int bit = 1 << 16 + bits.getAndIncrement();
            for (int i = 0; i < 1_000_000; i++) {
                pool.signal(bit, true);
                assertTrue((pool.signals & bit) != 0, "another thread has overwritten it");
                pool.signal(bit, false);
            }
        }));
        assertEquals(0, pool.signals);
    }

    @Test
    void listenersAreNotifiedInOrderAlsoAfterAThrowingOne() {
        List<String> told = new ArrayList<>();
        pool.addSizeListener(size -> told.add("a" + size));
        pool.addSizeListener(size -> {
            throw new IllegalStateException("mine");
        });
        pool.addSizeListener(size -> told.add("b" + size));
        pool.notifySizeListeners(1);
        pool.notifySizeListeners(2);
        assertEquals(List.of("a1", "b1", "a2", "b2"), told);
    }

    @Test
    void listenerAddedTwiceIsRemovedOnce() {
        List<String> told = new ArrayList<>();
        IntConsumer listener = size -> told.add("x");
        pool.addSizeListener(listener);
        pool.addSizeListener(listener);
        pool.removeSizeListener(listener);
        pool.notifySizeListeners(1);
        assertEquals(List.of("x"), told);
        pool.removeSizeListener(size -> {});
        assertTrue(pool.watchesAcquires());
        pool.removeSizeListener(listener);
        assertFalse(pool.watchesAcquires());
    }
}
