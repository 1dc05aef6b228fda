// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.support.Conservation;
import dev.buffers.support.DirectRoom;
import dev.buffers.support.Kind;
import dev.buffers.support.Leases;
import dev.buffers.support.Refusal;
import dev.buffers.support.Threads;
import dev.buffers.support.channels.Failures;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A policy that does what it must not: a clear message, the budget as before, and a pool that goes on. */
class PolicyFaultsTest {
    private static final IntFunction<ByteBuffer> SOUND = ByteBuffer::allocate;

    private final AtomicReference<IntFunction<ByteBuffer>> behaviour = new AtomicReference<>(SOUND);

    private BufferPool pool(boolean direct, boolean views) {
        return pool(direct, views, false);
    }

    private BufferPool pool(boolean direct, boolean views, boolean guard) {
        DirectRoom.make();
        return BufferPool.builder("faults")
                .guard(guard)
                .max(1 << 20)
                .policy(Kind.own(direct, views, bytes -> behaviour.get().apply(bytes)))
                .build();
    }

    static Stream<Arguments> faults() {
        return Stream.of(
                fault("returned null", bytes -> null),
                fault("another size: capacity=", bytes -> ByteBuffer.allocate(bytes - 1)),
                fault("another size: capacity=", bytes -> ByteBuffer.allocate(bytes + 1)),
                fault("read-only", bytes -> ByteBuffer.allocate(bytes).asReadOnlyBuffer()),
                fault(
                        "slice of a larger array: arrayOffset=8",
                        bytes -> ByteBuffer.allocate(bytes + 8).slice(8, bytes)),
                fault(
                        "slice of a larger array: arrayOffset=0",
                        bytes -> ByteBuffer.allocate(bytes + 8).slice(0, bytes)),
                fault("returned a direct buffer but says direct=false", ByteBuffer::allocateDirect),
                fault("in use: position=1", bytes -> ByteBuffer.allocate(bytes).position(1)),
                fault(
                        "in use: position=0, limit=7",
                        bytes -> ByteBuffer.allocate(bytes).limit(7)));
    }

    private static Arguments fault(String part, IntFunction<ByteBuffer> fault) {
        return Arguments.of(part, fault);
    }

    /** Parts that were made before the policy failed serve the next acquire. */
    @Test
    void partsOfRegionThatFailsAreUsed() {
        try (BufferPool pool = pool(false, false)) {
            AtomicInteger calls = new AtomicInteger();
            behaviour.set(bytes -> {
                if (calls.incrementAndGet() % 16 == 0) {
                    throw Failures.<RuntimeException>sneak(new IOException("no memory today"));
                }
                return SOUND.apply(bytes);
            });
            List<PooledBuffer> leases = new ArrayList<>();
            while (pool.stats().reservedBytes() < 1 << 20) {
                try {
                    PooledBuffer lease = pool.tryAcquire(4096);
                    if (lease == null) {
                        break;
                    }
                    leases.add(lease);
                } catch (Exception e) {
                    assertTrue(e instanceof IOException && calls.get() < 10_000, e::toString);
                }
            }
            behaviour.set(SOUND);
            leases.addAll(Leases.all(pool, 4096));
            assertEquals(256, leases.size());
            leases.forEach(PooledBuffer::release);
        }
    }

    @ParameterizedTest
    @MethodSource("faults")
    void wrongBufferFromPolicyIsNamed(String part, IntFunction<ByteBuffer> fault) {
        for (boolean views : new boolean[] {true, false}) {
            wrongBufferIsNamed(pool(false, views), part, fault);
            wrongBufferIsNamed(pool(false, views, true), part, fault);
        }
    }

    private void wrongBufferIsNamed(BufferPool faulty, String part, IntFunction<ByteBuffer> fault) {
        try (BufferPool pool = faulty) {
            behaviour.set(fault);
            for (int size : new int[] {100, 4096, 300_000}) {
                for (int i = 0; i < 30; i++) { // more often than the cap could be charged
                    String message = Refusal.of(
                            IllegalStateException.class,
                            () -> pool.acquire(size),
                            part,
                            "policy=own, bytes asked for=");
                    assertTrue(message.startsWith("policy returned"), message);
                }
                assertThrows(IllegalStateException.class, () -> pool.tryAcquire(size));
            }
            assertEquals(0, Conservation.check(pool).reservedBytes());
            goesOn(pool);
        }
    }

    @Test
    void policyKeepsNoBufferOfTheMemory() {
        List<ByteBuffer> theirs = new ArrayList<>();
        behaviour.set(bytes -> {
            theirs.add(ByteBuffer.allocate(bytes));
            return theirs.get(theirs.size() - 1);
        });
        try (BufferPool pool = pool(false, false);
                PooledBuffer lease = pool.acquire(100)) {
            byte[] array = lease.buffer().array();
            assertTrue(theirs.stream().anyMatch(buffer -> buffer.array() == array));
            theirs.forEach(buffer -> buffer.position(10).limit(20));
            assertEquals(0, lease.buffer().position());
            assertEquals(100, lease.buffer().limit());
        }
    }

    @Test
    void aDirectPolicyMustGiveDirectMemory() {
        try (BufferPool pool = pool(true, true)) {
            Refusal.of(
                    IllegalStateException.class,
                    () -> pool.acquire(100),
                    "returned a heap buffer but says direct=true");
            Conservation.check(pool);
        }
    }

    @Test
    void throwableOfPolicyReachesTheCaller() {
        for (Throwable thrown : List.of(
                new UnsupportedOperationException("no huge pages"),
                new LinkageError("gone"),
                new IOException("checked"))) {
            try (BufferPool pool = pool(false, true)) {
                behaviour.set(bytes -> {
                    throw Failures.<RuntimeException>sneak(thrown);
                });
                for (int i = 0; i < 30; i++) {
                    assertSame(thrown, assertThrows(Throwable.class, () -> pool.acquire(100)));
                    assertSame(thrown, assertThrows(Throwable.class, () -> pool.acquire(300_000)));
                }
                assertEquals(0, Conservation.check(pool).reservedBytes());
                goesOn(pool);
            }
        }
    }

    @Test
    void poolThatCouldNotBeMadeKeepsNoName() {
        isNotMade(BufferPool.builder("faults").policy(new Failing()));
        isNotMade(BufferPool.builder("faults").guard(true).policy(new Failing()));
        // This one fails after the pool was opened.
        isNotMade(BufferPool.builder("faults")
                .jmx(true)
                .max(1 << 20)
                .preallocate(1 << 20)
                .policy(Kind.own(bytes -> {
                    throw Failures.<RuntimeException>sneak(new IOException("checked"));
                })));
    }

    private void isNotMade(BufferPool.Builder builder) {
        Throwable thrown = assertThrows(Throwable.class, builder::build);
        assertTrue(thrown instanceof IOException, thrown::toString);
        try (BufferPool next = pool(false, true)) {
            assertEquals("faults", next.name());
        }
    }

    /** Fails while the pool is being made, guarded or not. */
    private static final class Failing implements BufferPolicy {
        @Override
        public String name() {
            return "failing";
        }

        @Override
        public boolean direct() {
            return false;
        }

        @Override
        public boolean views() {
            throw Failures.<RuntimeException>sneak(new IOException("checked"));
        }

        @Override
        public ByteBuffer allocate(int bytes) {
            return ByteBuffer.allocate(bytes);
        }
    }

    @Test
    void anOutOfMemoryErrorIsTheCap() {
        try (BufferPool pool = pool(false, true)) {
            PooledBuffer before = pool.acquire(4096);
            behaviour.set(bytes -> {
                throw new OutOfMemoryError("test");
            });
            for (int i = 0; i < 30; i++) {
                PoolExhaustedException refused = assertThrows(PoolExhaustedException.class, () -> pool.acquire(8192));
                assertTrue(refused.getMessage().contains("the JVM is out of memory: test"), refused.getMessage());
                assertNull(pool.tryAcquire(300_000));
            }
            pool.acquire(4096).release();
            Conservation.check(pool, 1);
            before.release();
            goesOn(pool);
        }
    }

    @Test
    void anOutOfMemoryErrorForALargeRegionMeansASmallerOne() {
        try (BufferPool pool = pool(false, true)) {
            behaviour.set(bytes -> {
                if (bytes > 10_000) {
                    throw new OutOfMemoryError("test");
                }
                return ByteBuffer.allocate(bytes);
            });
            PooledBuffer lease = pool.acquire(4096);
            assertTrue(Conservation.check(pool, 1).reservedBytes() <= 10_000);
            lease.release();
        }
    }

    @Test
    @SuppressWarnings("try") // the policy closes the pool
    void policyCallingItsPoolIsRefused() {
        try (BufferPool pool = pool(false, true)) {
            pool.acquire(4096).release(); // a hit from now on
            ChannelBuffers channel = pool.channel();
            List<Runnable> calls = List.of(
                    () -> pool.acquire(4096),
                    () -> pool.acquire(16_384),
                    () -> pool.tryAcquire(4096),
                    () -> pool.whenAvailable(4096, () -> {}),
                    () -> channel.acquire(100),
                    () -> pool.channel(),
                    () -> pool.trim(),
                    () -> pool.close());
            for (Runnable call : calls) {
                behaviour.set(bytes -> {
                    call.run();
                    return ByteBuffer.allocate(bytes);
                });
                assertEquals(
                        "a policy must not call the pool that called it: pool=" + pool.name() + ", policy=own",
                        Refusal.of(IllegalStateException.class, () -> pool.acquire(100_000)));
                Conservation.check(pool);
            }
            goesOn(pool);
        }
    }

    @Test
    void aPolicyMayCallAnotherPoolAndOthersMayCallThisOne() throws Exception {
        try (BufferPool other =
                        BufferPool.builder("other").policy("heap").max(1 << 20).build();
                BufferPool pool = pool(false, true)) {
            pool.acquire(4096).release();
            behaviour.set(bytes -> {
                other.acquire(100).release();
                behaviour.set(SOUND);
                try {
                    Threads.run(() -> pool.acquire(30_000).release());
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
                return ByteBuffer.allocate(bytes);
            });
            pool.acquire(50_000).release();
            Conservation.check(other);
            Conservation.check(pool);
        }
    }

    private void goesOn(BufferPool pool) {
        behaviour.set(SOUND);
        List<PooledBuffer> leases = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            leases.add(pool.acquire(100 << i));
        }
        Conservation.check(pool, 4);
        leases.forEach(PooledBuffer::release);
        Conservation.check(pool);
    }
}
