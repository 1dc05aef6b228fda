// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.memory;

import dev.buffers.BufferPolicy;
import dev.buffers.internal.signals.PoolState;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Memory of a user's policy, as {@link BufferPolicy#allocate} asks for it. Any thread, with no lock held. */
public final class PolicyMemory {
    private PolicyMemory() {}

    /**
     * Calls the policy.
     *
     * @throws IllegalStateException when the policy returns an unusable buffer
     */
    public static ByteBuffer allocate(PoolState pool, BufferPolicy policy, int bytes) {
        ByteBuffer memory = pool.allocate(policy, bytes);
        String wrong = wrong(memory, policy, bytes);
        if (memory == null || wrong != null) {
            throw new IllegalStateException(
                    "policy " + wrong + ": policy=" + policy.name() + ", bytes asked for=" + bytes);
        }
        return memory.isDirect() ? memory : ByteBuffer.wrap(memory.array()); // the policy may have kept its buffer
    }

    /** The fault of the buffer that the policy returned; null when it is usable. */
    private static @Nullable String wrong(@Nullable ByteBuffer memory, BufferPolicy policy, int bytes) {
        if (memory == null) {
            return "returned null";
        } else if (memory.isReadOnly()) {
            return "returned a read-only buffer";
        } else if (memory.isDirect() != policy.direct()) {
            return "returned a " + (memory.isDirect() ? "direct" : "heap") + " buffer but says direct="
                    + policy.direct();
        } else if (memory.capacity() != bytes) {
            return "returned a buffer of another size: capacity=" + memory.capacity();
        } else if (memory.hasArray() && (memory.arrayOffset() != 0 || memory.array().length != bytes)) {
            return "returned a slice of a larger array: arrayOffset=" + memory.arrayOffset() + ", array.length="
                    + memory.array().length;
        } else if (memory.position() != 0 || memory.limit() != bytes) {
            return "returned a buffer in use: position=" + memory.position() + ", limit=" + memory.limit();
        }
        return null;
    }
}
