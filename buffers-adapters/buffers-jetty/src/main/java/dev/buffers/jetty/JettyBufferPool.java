package dev.buffers.jetty;

import dev.buffers.BufferPool;
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.io.RetainableByteBuffer;

/**
 * A {@link BufferPool} as Jetty 12.1 wants it: {@code new Server(threads, scheduler, JettyBufferPool.create())} and {@code
 * httpClient.setByteBufferPool(pool)}.
 *
 * <p>Jetty says with each acquire whether it would like direct memory, and this chooses between two pools. The first is set like any
 * other, its policy included. Its twin, {@code <name>-heap}, has the policy {@code heap} whatever is set, because parts of Jetty read into
 * a whole {@code array()} from index 0; it is the first pool itself if that one's policy is {@code heap} or {@code unpooled}. A cap
 * that is set for both is a cap for each.
 *
 * <p><b>Counts.</b> Retains and releases are counted, and refused, as by Jetty's own pool. Unlike there a buffer serves one acquire only:
 * a release that comes too late throws, and never takes the buffer of the next holder; and {@code getByteBuffer()} throws after the last
 * release, when {@code remaining()} is 0. This holds with {@code leases=recycled} too, which saves an object for each acquire, but then a
 * buffer that was never released is not seen to be lost.
 *
 * <p><b>At the cap</b> an acquire does what {@code at-limit} says. A {@link dev.buffers.PoolExhaustedException} in a handler is an error
 * 500 to Jetty, whose page shows the message unless that is turned off; where Jetty needs the buffer itself, for a request's bytes or an
 * answer's headers, it ends the connection without an answer. {@code unpooled} goes on with plain arrays, and is what HTTP/2
 * needs: there a pool that throws makes Jetty lose buffers, and keep connections open from which it cannot read. {@code wait} makes
 * Jetty's threads wait, which may be those that select.
 *
 * <p><b>Jetty's cache.</b> A {@code ResourceHandler} keeps the files that it has served in buffers of the server's pool, up to 256 MiB of
 * them: they are leases until they are evicted, and count under the cap. {@code setMaxCacheSize} of its {@code getHttpContentFactory()}
 * bounds them.
 *
 * <p><b>What Jetty loses</b>, from whatever pool its buffers are: the answer of a client that closes its stream early; a binary web
 * socket message that Jetty puts together, when the sender vanishes halfway; and an HTTP/2 header block that has not ended when its
 * connection does, which anyone who can connect can bring about, once for each connection. This pool counts such a lease as lost, and
 * has its memory again once the collector has taken it; the cap holds meanwhile.
 *
 * <p><b>Threads.</b> Any thread, and a buffer may be released by another than that which acquired it. <b>Cost.</b> That of an acquire and
 * a release, and one small object. <b>Source.</b> Jetty 12.1, {@code org.eclipse.jetty.io}.
 */
public final class JettyBufferPool implements ByteBufferPool, AutoCloseable {
    private final Twins twins;

    private JettyBufferPool(Twins twins) {
        this.twins = twins;
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
     */
    public static JettyBufferPool create(String name) {
        return new JettyBufferPool(Twins.create(name));
    }

    /**
     * The same over pools of the caller's, who closes them.
     *
     * @param pool what serves {@code direct=true}
     * @param heap what serves {@code direct=false}; may be {@code pool}
     * @return what Jetty takes
     * @throws IllegalArgumentException when {@code heap} gives direct memory, or views of larger arrays
     */
    public static JettyBufferPool of(BufferPool pool, BufferPool heap) {
        return new JettyBufferPool(Twins.of(pool, heap));
    }

    /**
     * An empty buffer in Jetty's flush mode, position and limit 0, big-endian, the caller's until it releases it.
     *
     * @param size bytes; the capacity is that of the size class, and at least 4 KiB, as of Jetty's own pool, for 0 and for more than 32
     *     bytes. Jetty asks for less where it writes a line or a frame's header, and gets 128 bytes there
     * @param direct which of the pools serves it; the memory is direct if the first pool's policy says so, too
     * @throws dev.buffers.PoolExhaustedException at the cap, if {@code at-limit} says so
     * @throws IllegalArgumentException for a negative size
     * @throws IllegalStateException when the pool is closed
     */
    @Override
    public RetainableByteBuffer.Mutable acquire(int size, boolean direct) {
        return new JettyBuffer(this, twins.acquire(size, direct));
    }

    /**
     * Releases a buffer whose memory must not be used again, because an I/O failed and may still write into it: once the others that
     * retain it have released it too, it is discarded. For I/O of one's own: Jetty 12.1 has no such method in its interface, and never
     * calls this one. A buffer of another pool is released.
     *
     * @param buffer which the caller holds
     * @return true when this was the last release
     * @throws IllegalStateException when the buffer has been released already
     */
    public boolean releaseAndRemove(RetainableByteBuffer buffer) {
        RetainableByteBuffer inner = buffer;
        while (inner instanceof RetainableByteBuffer.Wrapper wrapper) {
            inner = wrapper.getWrapped();
        }
        if (inner instanceof JettyBuffer ours) {
            ours.remove();
        }
        return buffer.release();
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

    @Override
    public String toString() {
        return "JettyBufferPool[pool=" + twins + "]";
    }
}
