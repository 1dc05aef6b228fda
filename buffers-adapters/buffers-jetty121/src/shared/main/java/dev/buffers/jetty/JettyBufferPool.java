// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.jetty;

import dev.buffers.BufferPool;
import java.io.IOException;
import org.eclipse.jetty.util.Jetty;
import org.eclipse.jetty.util.component.Dumpable;

/**
 * A {@link BufferPool} as Jetty 12 wants it: {@code new Server(threads, scheduler, JettyBufferPool.create())} and {@code
 * httpClient.setByteBufferPool(pool)}.
 *
 * <p>Jetty says with each acquire whether it would like direct memory, and this chooses between two pools. The first is set like any
 * other, its policy included. Its twin, {@code <name>-heap}, has the policy {@code heap} whatever is set, because parts of Jetty read into
 * a whole {@code array()} from index 0; it is the first pool itself if that one's policy is {@code heap} or {@code unpooled}. A cap
 * that is set for both is a cap for each.
 *
 * <p><b>Counts.</b> Retains and releases are counted, and refused, as by Jetty's own pool. Unlike there a buffer serves one acquire only:
 * a release that comes too late throws, and never takes the buffer of the next holder; and {@code getByteBuffer()} throws after the last
 * release, when {@code remaining()} is 0.
 *
 * <p><b>At the cap</b> an acquire does what {@code at-limit} says, by default {@code unpooled} in the pools that {@link #create} makes: it
 * goes on with plain arrays, and is what HTTP/2 needs. With {@code fail} a {@link dev.buffers.PoolExhaustedException} in a handler is an error
 * 500 to Jetty, whose page shows the message unless that is turned off; where Jetty needs the buffer itself, for a request's bytes or an
 * answer's headers, it ends the connection without an answer. Over HTTP/2 a pool that throws makes Jetty lose
 * buffers, and keep connections open from which it cannot read. {@code wait} makes Jetty's threads wait, which may be those that select.
 *
 * <p><b>What Jetty caches, and what it loses</b>, from whatever pool its buffers are, depends on its version: the package says it.
 *
 * <p><b>Dump.</b> {@code server.dump()} shows the {@linkplain BufferPool#dump table} of each pool.
 *
 * <p><b>Threads.</b> Any thread, and a buffer may be released by another than that which acquired it. <b>Cost.</b> That of an acquire and
 * a release, and one small object. <b>Source.</b> {@code org.eclipse.jetty.io} of Jetty 12.0 and 12.1, which have one
 * artifact each; {@link #create} and {@link #of} fail with both, or the wrong one, on the class path.
 */
public final class JettyBufferPool extends VersionedPool implements Dumpable, AutoCloseable {

    private JettyBufferPool(Twins twins) {
        super(twins);
    }

    /**
     * Pools named {@code jetty} and, if need be, {@code jetty-heap}, with the settings of the system properties.
     *
     * @return what the caller closes
     */
    public static JettyBufferPool create() {
        return create("jetty");
    }

    /**
     * Pools of that name and, if need be, {@code <name>-heap}, with the settings of the system properties; closed with this one.
     *
     * @param name of the first
     * @return what the caller closes
     * @throws IllegalArgumentException when the name or a setting is not acceptable
     * @throws IllegalStateException when both artifacts for Jetty are on the class path, or the wrong one
     */
    public static JettyBufferPool create(String name) {
        OneArtifact.check(Jetty.VERSION);
        return new JettyBufferPool(Twins.create(name));
    }

    /**
     * The same over pools of the caller's, who closes them, and best builds them with {@link BufferPool.Builder#forServer}.
     *
     * @param pool what serves {@code direct=true}
     * @param heap what serves {@code direct=false}; may be {@code pool}
     * @return what Jetty takes
     * @throws IllegalArgumentException when {@code heap} gives direct memory, or views of larger arrays
     * @throws IllegalStateException when both artifacts for Jetty are on the class path, or the wrong one
     */
    public static JettyBufferPool of(BufferPool pool, BufferPool heap) {
        OneArtifact.check(Jetty.VERSION);
        return new JettyBufferPool(Twins.of(pool, heap));
    }

    /** Gives back the memory of both pools that is not in use, as far as {@code preallocate} allows. */
    @Override
    public void clear() {
        twins.trim();
    }

    /** Closes the pools that {@link #create} made: after the server has stopped. Buffers that are out may still be used and released. */
    @Override
    public void close() {
        twins.close();
    }

    /**
     * What {@code direct=true} comes from: for metrics, and to look for leaks.
     *
     * @return the pool itself
     */
    public BufferPool pool() {
        return twins.pool();
    }

    /**
     * What {@code direct=false} comes from.
     *
     * @return the pool itself, perhaps the same as {@link #pool}
     */
    public BufferPool heapPool() {
        return twins.heap();
    }

    /**
     * What Jetty's {@code server.dump()} shows of this: the table of each pool.
     *
     * @throws IOException when {@code out} throws it
     */
    @Override
    public void dump(Appendable out, String indent) throws IOException {
        Dumpable.dumpObjects(out, indent, this, twins.tables());
    }

    @Override
    public String toString() {
        return "JettyBufferPool[pool=" + twins + "]";
    }
}
