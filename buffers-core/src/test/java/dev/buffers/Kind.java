package dev.buffers;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/** What a contract runs on: a policy, built in or a user's own, and a lease mode. */
record Kind(String policy, PoolSettings.LeaseMode leases) {
    static final String OWN = "own";

    /** Every policy with both lease modes. */
    static Stream<Kind> all() {
        return Stream.of("heap", "direct", "heap-view", "direct-view", "unpooled", OWN)
                .flatMap(
                        policy -> Arrays.stream(PoolSettings.LeaseMode.values()).map(mode -> new Kind(policy, mode)));
    }

    /** Those that hand the same memory out again. */
    static Stream<Kind> pooled() {
        return all().filter(Kind::isPooled);
    }

    static Stream<Kind> fresh() {
        return all().filter(Kind::isFresh);
    }

    /** Those that cut many slots of one region, with fresh leases. */
    static Stream<Kind> views() {
        return fresh().filter(Kind::isViews);
    }

    static Kind fresh(String policy) {
        return new Kind(policy, PoolSettings.LeaseMode.FRESH);
    }

    boolean isPooled() {
        return !policy.equals("unpooled");
    }

    boolean isFresh() {
        return leases == PoolSettings.LeaseMode.FRESH;
    }

    boolean isViews() {
        return policy.endsWith("-view") || policy.equals(OWN);
    }

    boolean isDirect() {
        return policy.startsWith("direct");
    }

    BufferPool.Builder builder(String name) {
        BufferPool.Builder builder = BufferPool.builder(name).leases(leases).max(16 << 20);
        return policy.equals(OWN) ? builder.policy(own(Kind::dirty)) : builder.policy(policy);
    }

    /** Heap memory cut into views, from wherever the test says. */
    static BufferPolicy own(IntFunction<ByteBuffer> allocate) {
        return own(false, true, allocate);
    }

    static BufferPolicy own(boolean direct, boolean views, IntFunction<ByteBuffer> allocate) {
        return new BufferPolicy() {
            @Override
            public String name() {
                return OWN;
            }

            @Override
            public boolean direct() {
                return direct;
            }

            @Override
            public boolean views() {
                return views;
            }

            @Override
            public ByteBuffer allocate(int bytes) {
                return allocate.apply(bytes);
            }
        };
    }

    /** A policy may give memory filled with anything. */
    static ByteBuffer dirty(int bytes) {
        byte[] memory = new byte[bytes];
        Arrays.fill(memory, (byte) 0x5A);
        return ByteBuffer.wrap(memory);
    }

    @Override
    public String toString() {
        return policy + ", " + leases;
    }
}
