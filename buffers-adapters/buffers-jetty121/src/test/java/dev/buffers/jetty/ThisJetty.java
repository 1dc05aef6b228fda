// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.jetty;

import java.nio.ByteBuffer;
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.io.IOResources;
import org.eclipse.jetty.io.RetainableByteBuffer;
import org.eclipse.jetty.util.TypeUtil;
import org.eclipse.jetty.util.resource.Resource;

/** What the shared tests call, in the words of this version of Jetty. */
final class ThisJetty {
    /** Whether it says so of buffers that it counts. */
    static final boolean CAN_RETAIN_WHEN_RELEASED = false;

    /** How large a buffer's own object is, with compressed references. */
    static final int BUFFER_BYTES = 40;

    private ThisJetty() {}

    static boolean remove(JettyBufferPool pool, RetainableByteBuffer buffer) {
        return pool.releaseAndRemove(buffer);
    }

    static RetainableByteBuffer read(Resource resource, ByteBufferPool pool, boolean direct) {
        return IOResources.toRetainableByteBuffer(resource, new ByteBufferPool.Sized(pool, direct, 4096));
    }

    /** The beginning of what its own buffers say of themselves. */
    static String name(RetainableByteBuffer buffer) {
        return TypeUtil.toShortName(buffer.getClass()) + "@" + Integer.toHexString(System.identityHashCode(buffer));
    }

    /** The rest. */
    static String describe(ByteBuffer bytes, int holds) {
        return "[" + bytes.remaining() + "/" + bytes.capacity() + ",d=" + bytes.isDirect() + ",rc=" + holds + "]";
    }
}
