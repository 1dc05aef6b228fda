// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.pools.contenders;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.util.concurrent.FastThreadLocalThread;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.SynchronousQueue;
import java.util.stream.Stream;
import org.glassfish.grizzly.threadpool.DefaultWorkerThread;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Each contender behind the seam: its room, its bytes, its count of what it keeps, two threads. */
class ContendersTest {
    private static final int MAX = 16 << 10;
    private static final int COUNT = 32;

    private static Stream<Contenders> playable() {
        return Stream.of(Contenders.values()).filter(Contenders::isAvailable);
    }

    private static Stream<Contenders> thoseOfThreads() {
        return playable().filter(contender -> contender != Contenders.floor && contender != Contenders.checkedFloor);
    }

    private static Stream<Contenders> thoseThatCount() {
        return playable()
                .filter(contender -> !Set.of(
                                Contenders.allocateHeap,
                                Contenders.allocateDirect,
                                Contenders.undertow,
                                Contenders.grizzlyByteBuffer)
                        .contains(contender));
    }

    @ParameterizedTest
    @MethodSource("playable")
    void acquiredBufferHasRoomAndKeepsItsBytes(Contenders contender) throws Exception {
        try (Contender source = contender.make(MAX)) {
            on(contender, () -> {
                for (int size : new int[] {1, 64, 1000, 4096, 4097, MAX}) {
                    Object lease = source.acquire(size);
                    source.put(lease, 0, (byte) 7);
                    source.put(lease, size - 1, (byte) size);
                    assertEquals((byte) size, source.get(lease, size - 1), "size=" + size);
                    source.release(lease);
                    assertEquals(size, source.cycle(size));
                }
                return null;
            });
        }
    }

    @ParameterizedTest
    @MethodSource("playable")
    void leasesThatAreOutDoNotShareMemory(Contenders contender) throws Exception {
        try (Contender source = contender.make(MAX)) {
            on(contender, () -> {
                for (int round = 0; round < 3; round++) {
                    List<Object> leases = new ArrayList<>();
                    for (int i = 0; i < COUNT; i++) {
                        leases.add(source.acquire(MAX / (i + 1)));
                        source.put(leases.get(i), 0, (byte) i);
                    }
                    for (int i = 0; i < COUNT; i++) {
                        assertEquals((byte) i, source.get(leases.get(i), 0));
                    }
                    leases.forEach(source::release);
                }
                return null;
            });
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"buffers", "handleQueue", "checkedFloor"})
    void checkedContenderRefusesSecondRelease(Contenders contender) throws Exception {
        try (Contender source = contender.make(MAX)) {
            Object lease = source.acquire(MAX);
            source.release(lease);
            assertThrows(IllegalStateException.class, () -> source.release(lease));
            assertThrows(IllegalStateException.class, () -> source.get(lease, 0));
        }
    }

    @ParameterizedTest
    @MethodSource("thoseOfThreads")
    void anotherThreadMayRelease(Contenders contender) throws Exception {
        try (Contender source = contender.make(MAX)) {
            SynchronousQueue<Object> passed = new SynchronousQueue<>();
            FutureTask<Integer> reader = new FutureTask<>(() -> {
                int right = 0;
                for (int i = 0; i < COUNT; i++) {
                    Object lease = passed.take();
                    right += source.get(lease, 0) == (byte) i ? 1 : 0;
                    source.release(lease);
                }
                return right;
            });
            contender.thread(reader).start();
            on(contender, () -> {
                for (int i = 0; i < COUNT; i++) {
                    Object lease = source.acquire(4096);
                    source.put(lease, 0, (byte) i);
                    passed.put(lease);
                }
                return null;
            });
            assertEquals(COUNT, reader.get());
        }
    }

    /** Leaves out contenders whose memory the JVM counts: in this JVM that count includes all contenders. */
    @ParameterizedTest
    @MethodSource("thoseThatCount")
    void releasedMemoryIsKeptAndDoesNotGrow(Contenders contender) throws Exception {
        try (Contender source = contender.make(MAX)) {
            on(contender, () -> {
                long[] kept = new long[2];
                for (int round = 0; round < 2; round++) {
                    for (int repeat = 0; repeat < 20; repeat++) {
                        List<Object> leases = new ArrayList<>();
                        for (int i = 0; i < COUNT; i++) {
                            leases.add(source.acquire(MAX));
                        }
                        leases.forEach(source::release);
                    }
                    kept[round] = source.keptBytes();
                }
                long least = contender == Contenders.grizzlyHeap ? 64 << 10 : COUNT * MAX;
                assertTrue(kept[0] >= least, contender + " keeps " + kept[0]);
                assertTrue(kept[0] <= 64 << 20, contender + " keeps " + kept[0]);
                assertEquals(kept[0], kept[1], contender + " grows");
                return null;
            });
        }
    }

    @Test
    void aLeaseThatIsOutIsNoticed() {
        Contender source = Contenders.buffers.make(MAX);
        Object lease = source.acquire(1);
        assertThrows(IllegalStateException.class, source::close);
        source.release(lease);
    }

    @Test
    void theBestOfNettyAndGrizzlyRunOnTheirOwnThreads() {
        assertInstanceOf(FastThreadLocalThread.class, Contenders.nettyAdaptiveBest.thread(() -> {}));
        assertInstanceOf(FastThreadLocalThread.class, Contenders.nettyPooledBest.thread(() -> {}));
        for (Contenders grizzly :
                List.of(Contenders.grizzlyHeap, Contenders.grizzlyByteBuffer, Contenders.grizzlyPooled)) {
            assertInstanceOf(DefaultWorkerThread.class, grizzly.thread(() -> {}));
        }
        assertFalse(Contenders.nettyAdaptive.thread(() -> {}) instanceof FastThreadLocalThread);
        assertTrue(Contenders.buffers.jvmArguments().isEmpty(), "our pool needs no options");
    }

    /** Runs on a thread of the contender's kind. */
    private static void on(Contenders contender, Callable<?> task) throws Exception {
        FutureTask<?> done = new FutureTask<>(task);
        contender.thread(done).start();
        done.get();
    }
}
