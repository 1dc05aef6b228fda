// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.jetty;

import java.nio.ByteBuffer;
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.io.IOResources;
import org.eclipse.jetty.io.RetainableByteBuffer;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.resource.Resource;

/** What the shared tests call, in the words of this version of Jetty. */
final class ThisJetty {
    /** Whether it says so of buffers that it counts. */
    static final boolean CAN_RETAIN_WHEN_RELEASED = true;

    /** How large a buffer's own object is, with compressed references. */
    static final int BUFFER_BYTES = 24;

    private ThisJetty() {}

    @SuppressWarnings("deprecation") // by Jetty 12.0, for what 12.1 calls releaseAndRemove
    static boolean remove(JettyBufferPool pool, RetainableByteBuffer buffer) {
        return pool.removeAndRelease(buffer);
    }

    static RetainableByteBuffer read(Resource resource, ByteBufferPool pool, boolean direct) {
        return IOResources.toRetainableByteBuffer(resource, pool, direct);
    }

    /** The beginning of what its own buffers say of themselves. */
    static String name(RetainableByteBuffer buffer) {
        return buffer.getClass().getSimpleName() + "@" + Integer.toHexString(buffer.hashCode());
    }

    /** The rest. */
    static String describe(ByteBuffer bytes, int holds) {
        return "[rc=" + holds + "," + BufferUtil.toDetailString(bytes) + "]";
    }
}
