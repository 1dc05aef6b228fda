// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.support;

import dev.buffers.BufferPolicy;
import dev.buffers.BufferPool;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/**
 * What a contract runs on: a policy, built in or a user's own.
 *
 * <p>By default contracts run on the four policies that differ in code: {@code heap} allocates each buffer separately, as an array;
 * {@code direct-view} cuts regions of direct memory, and is the default; {@code unpooled} keeps nothing; the user's own policy is called, its
 * memory is checked, and an array is cut into views. The other two combine what these have: {@code direct} is allocated like
 * {@code heap} and limited like {@code direct-view}, and {@code heap-view} is cut like the user's. With {@code -Dtest.kinds=all} contracts
 * run on all of them.
 */
public record Kind(String policy) {
    public static final String OWN = "own";

    private static final Set<String> DIFFERENT = Set.of("heap", "direct-view", "unpooled", OWN);

    /** Every policy. */
    public static Stream<Kind> all() {
        return Stream.of("heap", "direct", "heap-view", "direct-view", "unpooled", OWN)
                .map(Kind::new);
    }

    /** Those that differ in code, or all of them if the build asks for that. */
    public static Stream<Kind> chosen() {
        return all().filter(kind -> areAllChosen() || DIFFERENT.contains(kind.policy));
    }

    /** Whether the build asks for every kind. */
    static boolean areAllChosen() {
        return System.getProperty("test.kinds", "four").equals("all");
    }

    /** Those that hand the same memory out again. */
    static Stream<Kind> pooled() {
        return chosen().filter(Kind::isPooled);
    }

    public boolean isPooled() {
        return !policy.equals("unpooled");
    }

    public boolean isViews() {
        return policy.endsWith("-view") || policy.equals(OWN);
    }

    public boolean isDirect() {
        return policy.startsWith("direct");
    }

    public BufferPool.Builder builder(String name) {
        BufferPool.Builder builder = BufferPool.builder(name).max(16 << 20);
        return policy.equals(OWN) ? builder.policy(own(Kind::dirty)) : builder.policy(policy);
    }

    /** Heap memory cut into views, from wherever the test says. */
    public static BufferPolicy own(IntFunction<ByteBuffer> allocate) {
        return own(false, true, allocate);
    }

    public static BufferPolicy own(boolean direct, boolean views, IntFunction<ByteBuffer> allocate) {
        return new Own(OWN, direct, views, allocate);
    }

    /** A user's policy. */
    public record Own(String name, boolean direct, boolean views, IntFunction<ByteBuffer> memory)
            implements BufferPolicy {
        @Override
        public ByteBuffer allocate(int bytes) {
            return memory.apply(bytes);
        }
    }

    /** A policy may give memory filled with anything. */
    static ByteBuffer dirty(int bytes) {
        byte[] memory = new byte[bytes];
        Arrays.fill(memory, (byte) 0x5A);
        return ByteBuffer.wrap(memory);
    }

    @Override
    public String toString() {
        return policy;
    }
}
