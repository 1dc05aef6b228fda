// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.internal.guard.GuardParts;
import dev.buffers.internal.memory.ArenaMemory;
import dev.buffers.support.Conservation;
import dev.buffers.support.Eventually;
import dev.buffers.support.Kind;
import dev.buffers.support.Leases;
import dev.buffers.support.Logged;
import dev.buffers.support.Threads;
import dev.buffers.support.channels.PlannedSource;
import dev.buffers.support.channels.Sockets;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.ReadableByteChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each kind of misuse is found, and the finding names the culprit. */
class GuardContractTest {
    private final Logged log = new Logged("guarded");

    /** The lines of the log without refusals: that of an earlier test's pool may come late. */
    private List<String> findings() {
        return log.lines("").stream()
                .filter(line ->
                        !line.startsWith("pool has no room") && !line.startsWith("asked the JVM for a collection"))
                .toList();
    }

    static Stream<Kind> heap() {
        return Kind.chosen().filter(kind -> !kind.isDirect() && kind.isPooled());
    }

    static Stream<Kind> heapViews() {
        return heap().filter(Kind::isViews);
    }

    static Stream<Kind> direct() {
        return Kind.chosen().filter(Kind::isDirect);
    }

    @AfterEach
    void nothingElseIsSaid() {
        log.close();
    }

    /** So a buffer that is sent without a {@code flip()} shows no other client's bytes. */
    @ParameterizedTest
    @MethodSource({"heap", "direct"})
    void bytesThatWereNotWrittenAreNeverThoseOfAnEarlierHolder(Kind kind) {
        byte[] secret = new byte[1000];
        Arrays.fill(secret, (byte) 'A');
        try (BufferPool pool = guarded(kind)) {
            for (int i = 0; i < 20; i++) {
                PooledBuffer earlier = pool.acquire(secret.length);
                earlier.buffer().put(secret);
                earlier.release();
                PooledBuffer later = pool.acquire(secret.length);
                while (later.buffer().hasRemaining()) {
                    byte unwritten = later.buffer().get();
                    assertNotEquals((byte) 'A', unwritten);
                }
                later.release();
            }
        }
    }

    private static BufferPool guarded(Kind kind) {
        return kind.builder("guarded").guard(true).build();
    }

    private static PooledBuffer culpritAcquires(BufferPool pool) {
        return pool.acquire(1000);
    }

    private static void culpritReleases(PooledBuffer lease) {
        lease.release();
    }

    private String found(String text) {
        List<String> lines = log.lines(text);
        assertEquals(1, lines.size(), () -> "findings: " + findings());
        return lines.get(0);
    }

    private static void assertNames(String finding, String... methods) {
        for (String method : methods) {
            assertTrue(finding.contains(method), () -> method + " is not named in " + finding);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.buffers.support.Kind#chosen")
    void correctUseIsNotReported(Kind kind) {
        try (BufferPool pool = guarded(kind)) {
            Random random = new Random(1);
            List<PooledBuffer> leases = new ArrayList<>();
            ChannelBuffers channel = pool.channel();
            for (int i = 0; i < 1_000; i++) {
                PooledBuffer lease = pool.tryAcquire(random.nextInt(random.nextBoolean() ? 3_000 : 20_000));
                if (lease != null) {
                    ByteBuffer bytes = lease.buffer();
                    while (bytes.hasRemaining()) {
                        bytes.put((byte) i);
                    }
                    leases.add(random.nextInt(5) == 0 ? lease.retain() : lease);
                    if (leases.get(leases.size() - 1) != lease) {
                        lease.close();
                    }
                }
                channel.input(random.nextInt(3_000)).putInt(random.nextInt());
                if (i % 7 == 0) {
                    channel.handOffInput().release();
                }
                while (leases.size() > random.nextInt(20)) {
                    PooledBuffer one = leases.remove(random.nextInt(leases.size()));
                    if (random.nextInt(50) == 0) {
                        one.discard();
                    } else {
                        one.release();
                    }
                }
            }
            channel.close();
            leases.forEach(PooledBuffer::release);
            Conservation.check(pool);
        }
        assertEquals(List.of(), findings());
    }

    @ParameterizedTest
    @MethodSource("heap")
    void aWriteAfterTheRelease(Kind kind) {
        try (BufferPool pool = guarded(kind)) {
            PooledBuffer lease = culpritAcquires(pool);
            ByteBuffer kept = lease.buffer();
            culpritReleases(lease);
            kept.put(17, (byte) 1);
            pool.trim(); // ends the time for which it is kept aside
            String finding = found("written to after its release");
            assertNames(finding, "culpritAcquires", "culpritReleases");
            assertTrue(finding.contains("at offset 17"), finding);
            Conservation.check(pool);
        }
    }

    @ParameterizedTest
    @MethodSource("heapViews")
    void aWriteThatComesLateIsFoundByTheNextAcquire(Kind kind) {
        try (BufferPool pool = guarded(kind);
                PooledBuffer keepsTheRegion = pool.acquire(1000)) {
            assertTrue(keepsTheRegion.isOpen());
            PooledBuffer lease = culpritAcquires(pool);
            ByteBuffer kept = lease.buffer();
            Object block = GuardParts.memory(lease);
            culpritReleases(lease);
            pool.tryAcquire(16 << 20); // refused, and so nothing is kept aside any more
            kept.put(17, (byte) 1);
            PooledBuffer next = pool.acquire(1000);
            assertEquals(block, GuardParts.memory(next));
            assertNames(found("written to after its release"), "culpritAcquires", "culpritReleases");
            next.release();
        }
    }

    @ParameterizedTest
    @MethodSource("dev.buffers.support.Kind#chosen")
    void aDoubleRelease(Kind kind) {
        try (BufferPool pool = guarded(kind)) {
            PooledBuffer lease = culpritAcquires(pool);
            culpritReleases(lease);
            IllegalStateException error = assertThrows(IllegalStateException.class, lease::release);
            assertEquals(2, error.getSuppressed().length);
            assertNames(found("released twice"), "culpritAcquires", "culpritReleases", "aDoubleRelease");
            lease.close(); // is legal
            assertThrows(IllegalStateException.class, lease::buffer);
            found("a buffer was used after its release");
            assertEquals(1, pool.stats().releases(ReleaseOutcome.INVALID));
        }
    }

    @Test
    void stacksOfFindingBeginWithItsUsers() {
        try (BufferPool pool = guarded(new Kind("heap-view"))) {
            PooledBuffer lease = culpritAcquires(pool);
            culpritReleases(lease);
            IllegalStateException error = assertThrows(IllegalStateException.class, lease::release);
            List<String> lines = found("released twice").lines().toList();
            for (String said : List.of("acquired here", "released here", "PooledBuffer already released")) {
                int at = 0;
                while (!lines.get(at).startsWith(said)) {
                    at++;
                }
                String first = lines.get(at + 1);
                assertTrue(first.startsWith("\tat dev.buffers.GuardContractTest") || first.contains("Assert"), first);
            }
            for (Throwable at : List.of(error, error.getSuppressed()[0], error.getSuppressed()[1])) {
                String first = at.getStackTrace()[0].getClassName();
                assertFalse(first.startsWith("dev.buffers.internal."), first);
            }
        }
    }

    @Test
    void doubleReleaseLongAfterNamesItsOwnTenancy() {
        try (BufferPool pool = guarded(new Kind("heap-view"));
                PooledBuffer keepsTheRegion = pool.acquire(1000)) {
            assertTrue(keepsTheRegion.isOpen());
            PooledBuffer lease = culpritAcquires(pool);
            ByteBuffer keepsItFromTheCollector = lease.buffer();
            Object block = GuardParts.memory(lease);
            culpritReleases(lease);
            for (int i = 0; i < 10; i++) {
                pool.tryAcquire(16 << 20);
                PooledBuffer other = pool.acquire(1000);
                assertEquals(block, GuardParts.memory(other));
                int named = assertThrows(IllegalStateException.class, lease::release)
                        .getSuppressed()
                        .length;
                assertEquals(2, named, "tenancies later: " + (i + 1));
                other.release();
            }
            Reference.reachabilityFence(keepsItFromTheCollector);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.buffers.support.Kind#chosen")
    void aReleaseAfterThePoolWasClosed(Kind kind) {
        BufferPool pool = guarded(kind);
        PooledBuffer lease = culpritAcquires(pool);
        pool.close();
        culpritReleases(lease);
        assertNames(found("released after its pool was closed"), "culpritAcquires", "culpritReleases");
    }

    @ParameterizedTest
    @MethodSource("dev.buffers.support.Kind#chosen")
    void discardIsNoFinding(Kind kind) {
        BufferPool pool = guarded(kind);
        PooledBuffer overrun = pool.acquire(1000);
        PooledBuffer late = pool.acquire(1000);
        if (heapViews().anyMatch(kind::equals)) {
            ByteBuffer bytes = overrun.buffer();
            bytes.array()[bytes.arrayOffset() + bytes.capacity()] = 1;
        }
        overrun.discard();
        pool.close();
        late.discard();
        assertEquals(List.of(), log.lines("a buffer was "));
    }

    @Test
    void anOverrunThroughTheArray() {
        try (BufferPool pool = guarded(new Kind("heap-view"))) {
            PooledBuffer lease = culpritAcquires(pool);
            PooledBuffer neighbour = pool.acquire(1000);
            ByteBuffer bytes = lease.buffer();
            assertTrue(bytes.arrayOffset() + bytes.capacity() + 64 <= bytes.array().length);
            bytes.array()[bytes.arrayOffset() + bytes.capacity() + 3] = 1;
            culpritReleases(lease);
            String finding = found("through array()");
            assertNames(finding, "culpritAcquires", "culpritReleases");
            assertTrue(finding.contains("3 bytes behind the buffer"), finding);
            assertEquals(0, neighbour.buffer().get(0));
            neighbour.release();
            lease = pool.acquire(1000);
            lease.release();
            found("through array()"); // it is said once
        }
    }

    @ParameterizedTest
    @MethodSource("dev.buffers.support.Kind#chosen")
    void twoThreadsOnOneChannel(Kind kind) throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(1);
        ReadableByteChannel slow = new PlannedSource(new Random(1), 1) {
            @Override
            public int read(ByteBuffer into) {
                inside.countDown();
                Threads.await(done);
                into.put((byte) 1);
                return 1;
            }
        };
        try (BufferPool pool = guarded(kind)) {
            ChannelBuffers channel = pool.channel();
            List<Threads.Action> actions = List.of(() -> channel.readFrom(slow), () -> {
                inside.await();
                try {
                    List<Executable> uses = List.of(
                            channel::input,
                            () -> channel.input(1),
                            () -> channel.acquire(10),
                            channel::handOffInput,
                            () -> channel.handOffInput(1),
                            channel::idle,
                            channel::close);
                    uses.forEach(use -> assertThrows(IllegalStateException.class, use));
                } finally {
                    done.countDown();
                }
            });
            Threads.together(actions);
            assertEquals(7, log.lines("used by two threads at once").size());
            assertNames(log.lines("used by two threads at once").get(0), "twoThreadsOnOneChannel");
            assertEquals(1, channel.input().position());
            Threads.run(() -> channel.close()); // one after the other is legal
        }
        assertEquals(7, findings().size());
    }

    /** KAFKA-19012: a buffer went back while a write of it was pending, and the next holder's bytes were sent. */
    @ParameterizedTest
    @MethodSource("direct")
    void anIoInFlightOverAReleasedBuffer(Kind kind) throws Exception {
        try (BufferPool pool = guarded(kind);
                Sockets<AsynchronousSocketChannel> sockets = Sockets.connectAsync()) {
            // With retain the memory is not handed out again before the I/O has ended.
            PooledBuffer lease = pool.acquire(1000);
            PooledBuffer forTheIo = lease.retain();
            Future<Integer> read = sockets.near().read(forTheIo.buffer());
            Object block = GuardParts.memory(lease);
            lease.release();
            List<PooledBuffer> others = Leases.of(200, () -> pool.acquire(1000));
            assertTrue(others.stream().noneMatch(other -> block.equals(GuardParts.memory(other))));
            sockets.far().write(ByteBuffer.wrap(new byte[] {1, 2, 3})).get();
            assertEquals(3, read.get());
            assertEquals(2, forTheIo.buffer().get(1));
            forTheIo.release();
            Leases.release(others);
            assertEquals(List.of(), findings());

            // Without it, the finding names the code that released the lease: at once, or from the poison that the
            // I/O overwrote.
            PooledBuffer wrong = culpritAcquires(pool);
            Object used = GuardParts.memory(wrong);
            read = sockets.near().read(wrong.buffer());
            culpritReleases(wrong);
            if (ArenaMemory.available()) {
                assertNames(found("released while an I/O was using it"), "culpritAcquires", "culpritReleases");
                pool.tryAcquire(16 << 20); // refused; nothing is kept aside any more, but what the I/O uses is
                others = Leases.of(200, () -> pool.acquire(1000));
                assertTrue(others.stream().noneMatch(other -> used.equals(GuardParts.memory(other))));
                Leases.release(others);
            }
            sockets.far().write(ByteBuffer.wrap(new byte[] {1, 2, 3})).get();
            assertEquals(3, read.get());
            pool.trim();
            if (!ArenaMemory.available()) {
                assertNames(found("written to after its release"), "culpritAcquires", "culpritReleases");
            }
            Eventually.holds("the slot is used again", () -> {
                pool.trim();
                return pool.stats().reservedBytes() == 0;
            });
            Conservation.check(pool);
        }
    }

    @Test
    void lostLeasesAreSeenAndNamed() {
        Map<BufferPool, List<LeakReport>> pools = new LinkedHashMap<>();
        for (Kind kind : Kind.all().toList()) { // all of them first: one collection finds all losses
            List<LeakReport> reports = new CopyOnWriteArrayList<>();
            BufferPool pool =
                    kind.builder("losing").guard(true).onLeak(reports::add).build();
            pools.put(pool, reports);
            culpritAcquires(pool);
        }
        pools.forEach((pool, reports) -> {
            try (pool) {
                Eventually.collected("the loss is seen", () -> !reports.isEmpty());
                assertEquals(1, reports.size());
                assertTrue(
                        reports.get(0).acquisition().orElseThrow().stack().stream()
                                .anyMatch(frame -> frame.getMethodName().equals("culpritAcquires")),
                        () -> reports.toString());
                assertEquals(1, pool.stats().leaks());
                Conservation.check(pool);
            }
        });
    }

    @Test
    void slotsAreKeptAsideForAWhile() {
        try (BufferPool pool = guarded(new Kind("heap-view"))) {
            Set<Object> slots = new HashSet<>();
            for (int i = 0; i < 500; i++) {
                PooledBuffer lease = pool.acquire(1000);
                assertTrue(slots.add(GuardParts.memory(lease)), "used again after " + i);
                lease.release();
            }
            pool.acquire(15 << 20).release(); // but not at the price of a refusal
        }
    }

    private static boolean releaseFirst(PooledBuffer lease) {
        return lease.release();
    }

    private static boolean releaseSecond(PooledBuffer lease) {
        return lease.release();
    }

    private static String releasedIn(PooledBuffer ended) {
        IllegalStateException error = assertThrows(IllegalStateException.class, ended::release);
        assertEquals(2, error.getSuppressed().length);
        Throwable released = error.getSuppressed()[1];
        assertEquals("released here, by thread " + Thread.currentThread().getName(), released.getMessage());
        return released.getStackTrace()[0].getMethodName();
    }

    /** Further leases of the same memory end elsewhere. */
    @Test
    void errorShowsWhereThisLeaseWasReleased() {
        try (BufferPool pool = guarded(new Kind("heap-view"))) {
            PooledBuffer lease = pool.acquire(100);
            PooledBuffer further = lease.retain();
            assertFalse(releaseFirst(lease));
            assertEquals("releaseFirst", releasedIn(lease));
            assertTrue(releaseSecond(further));
            assertEquals("releaseFirst", releasedIn(lease));
            assertEquals("releaseSecond", releasedIn(further));
        }
    }
}
