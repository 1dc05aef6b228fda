// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.memory;

import dev.buffers.BufferPolicy;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * The policies that come with the library. They are constants and no enum, because {@code Enum.name()} is final and would return
 * {@code HEAP_VIEW}.
 *
 * @param pooled false when a released buffer is left to the collector and is only counted under the cap
 */
public record BuiltInPolicy(String name, boolean direct, boolean views, boolean pooled) implements BufferPolicy {

    /** One exact array per buffer, offset 0. */
    public static final BuiltInPolicy HEAP = new BuiltInPolicy("heap", false, false, true);

    /** One direct buffer each. */
    public static final BuiltInPolicy DIRECT = new BuiltInPolicy("direct", true, false, true);

    /** Views of large arrays. */
    public static final BuiltInPolicy HEAP_VIEW = new BuiltInPolicy("heap-view", false, true, true);

    /** Views of large direct buffers. */
    public static final BuiltInPolicy DIRECT_VIEW = new BuiltInPolicy("direct-view", true, true, true);

    /** Plain heap buffers, never reused, still under the cap. */
    static final BuiltInPolicy UNPOOLED = new BuiltInPolicy("unpooled", false, false, false);

    /** All of them, in the order in which messages list them. */
    public static final List<BuiltInPolicy> ALL = List.of(HEAP, DIRECT, HEAP_VIEW, DIRECT_VIEW, UNPOOLED);

    /** Whether memory of this policy is used again. */
    public static boolean pools(BufferPolicy policy) {
        return !(policy instanceof BuiltInPolicy ours) || ours.pooled();
    }

    public static Optional<BuiltInPolicy> named(String name) {
        return ALL.stream().filter(policy -> policy.name.equals(name)).findFirst();
    }

    @Override
    public ByteBuffer allocate(int bytes) {
        return direct ? ByteBuffer.allocateDirect(bytes) : ByteBuffer.allocate(bytes);
    }

    @Override
    public String toString() {
        return name;
    }
}
