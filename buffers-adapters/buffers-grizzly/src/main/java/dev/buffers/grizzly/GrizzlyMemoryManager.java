// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.grizzly;

import dev.buffers.BufferPool;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.util.Objects;
import org.glassfish.grizzly.Buffer;
import org.glassfish.grizzly.memory.ByteBufferAware;
import org.glassfish.grizzly.memory.ByteBufferWrapper;
import org.glassfish.grizzly.memory.MemoryManager;
import org.glassfish.grizzly.memory.MemoryProbe;
import org.glassfish.grizzly.memory.WrapperAware;
import org.glassfish.grizzly.monitoring.MonitoringConfig;

/**
 * A {@link BufferPool} as Grizzly wants it: {@code transport.setMemoryManager(new GrizzlyMemoryManager())}, or, for all transports and with
 * no code, {@code -Dorg.glassfish.grizzly.DEFAULT_MEMORY_MANAGER=dev.buffers.grizzly.GrizzlyMemoryManager}.
 *
 * <p>Grizzly takes the array of a buffer from {@link #allocate} without asking whether the buffer has one ({@code GZipEncoder}, {@code
 * GZipDecoder}). So these buffers are always on the heap. With a policy of direct memory they come from a separate pool, whose name is
 * {@code <name>-heap}. Direct memory is for {@link #allocateAtLeast}, whose buffers sockets are read into.
 *
 * <p>A buffer's capacity is that of its slot, and its limit is the requested size. {@code split}, {@code slice}, {@code duplicate} and
 * {@code asReadOnlyBuffer} copy nothing: each part is disposed of separately, and the memory goes back after the last one. As in Grizzly's
 * own pool, {@code tryDispose} disposes of a buffer unless {@code allowBufferDispose(false)} was called on it. So does a transport that has
 * written a buffer. An exception is a buffer that was filled with single values alone and never trimmed: its owner may fill it again, as a
 * {@code StreamWriter} does. After its disposal a buffer throws {@link IllegalStateException}, also on a second disposal. A buffer that is
 * dropped instead is counted as lost, and its memory is not used again.
 *
 * <p><b>Threads.</b> Any thread, and a thread may dispose of a buffer that another thread allocated. <b>Cost.</b> That of an acquire and
 * a release, and two small objects. <b>At the cap</b> the pools that this class makes go on with plain heap memory ({@code
 * at-limit=unpooled}). With {@code fail} or {@code wait}, {@link #allocate} and its like throw {@link dev.buffers.PoolExhaustedException};
 * a transport that was about to read then closes the connection.
 * <b>Source.</b> Grizzly 4.0, {@code org.glassfish.grizzly.memory}.
 */
public final class GrizzlyMemoryManager implements MemoryManager<Buffer>, WrapperAware, ByteBufferAware, AutoCloseable {
    /**
     * Up to this size a buffer is never direct, because code fills it byte by byte, as with a response's header. {@code
     * CLStaticHttpHandler} asks for exactly this size, and sends bytes that are not in the file if the answer is direct memory.
     */
    private static final int MOST_WITH_ARRAY = 8 << 10;

    /** A socket's buffer may be larger, and a request keeps the whole slot, however small it is. */
    private static final int MOST_DIRECT = 32 << 10;

    private final Probes probes = new Probes(this);
    private final Memory memory;
    private final Memory arrays;
    private final boolean ownsPools;

    /** Pools named {@code grizzly} and, if need be, {@code grizzly-heap}, with the settings of the system properties. */
    public GrizzlyMemoryManager() {
        this("grizzly");
    }

    private GrizzlyMemoryManager(String name) {
        BufferPool pool = BufferPool.builder(name).forServer().build();
        this.ownsPools = true;
        this.memory = new Memory(pool, probes);
        if (!memory.isDirect()) {
            this.arrays = memory;
            return;
        }
        try {
            BufferPool heap = BufferPool.builder(name + "-heap")
                    .forServer()
                    .policy("heap")
                    .build();
            this.arrays = new Memory(heap, probes);
        } catch (RuntimeException e) {
            pool.close();
            throw e;
        }
    }

    private GrizzlyMemoryManager(BufferPool pool, BufferPool heap) {
        this.ownsPools = false;
        this.memory = new Memory(pool, probes);
        this.arrays = memory.isDirect() ? new Memory(heap, probes) : memory;
    }

    /**
     * Pools of that name and, if need be, {@code <name>-heap}, with the settings of the system properties; closed with this one.
     *
     * @param name of the first
     * @return what the caller closes
     * @throws IllegalArgumentException when the name or a setting is not acceptable
     */
    public static GrizzlyMemoryManager create(String name) {
        return new GrizzlyMemoryManager(name);
    }

    /**
     * The same over pools of the caller's, who closes them, and best builds them with {@link BufferPool.Builder#forServer}.
     *
     * @param pool what sockets are read into and, if it uses the heap, all else
     * @param heap what buffers with arrays come from; may be {@code pool} if that uses the heap
     * @return what Grizzly takes
     * @throws IllegalArgumentException when {@code heap} gives direct memory
     */
    public static GrizzlyMemoryManager of(BufferPool pool, BufferPool heap) {
        Objects.requireNonNull(pool, "pool");
        if (heap.settings().policy().direct()) {
            throw new IllegalArgumentException("the pool for buffers with arrays must use the heap: heap=" + heap.name()
                    + ", policy=" + heap.settings().policy().name());
        }
        return new GrizzlyMemoryManager(pool, heap);
    }

    /**
     * A buffer on the heap at position 0 whose limit is {@code size}, the caller's until it is disposed of.
     *
     * @param size bytes; 0 is legal
     * @throws dev.buffers.PoolExhaustedException at the cap, if {@code at-limit} says so
     * @throws IllegalArgumentException for a negative size
     * @throws IllegalStateException when the pool is closed
     */
    @Override
    public Buffer allocate(int size) {
        SharedLease lease = arrays.acquire(size);
        return new GrizzlyBuffer(lease.memory(), lease);
    }

    /**
     * As {@link #allocate}, but with all of the slot before its limit, and direct if {@link #willAllocateDirect} says so.
     *
     * @param size bytes, the least that the buffer has
     */
    @Override
    public Buffer allocateAtLeast(int size) {
        SharedLease lease = atLeast(size).acquire(size);
        return new GrizzlyBuffer(lease.memory().clear(), lease);
    }

    private Memory atLeast(int size) {
        return willAllocateDirect(size) ? memory : arrays;
    }

    /**
     * A buffer with the bytes before the old one's limit, at the same position, whose limit is at least {@code newSize}. The old buffer is
     * returned if its slot has room. Otherwise another one is, and {@code tryDispose} is called on the old one.
     *
     * @throws dev.buffers.PoolExhaustedException as for {@link #allocate}; the old buffer is then as it was
     */
    @Override
    public Buffer reallocate(Buffer oldBuffer, int newSize) {
        int limit = oldBuffer.limit();
        if (oldBuffer.capacity() >= newSize) {
            return limit < newSize ? oldBuffer.limit(newSize) : oldBuffer;
        }
        int position = oldBuffer.position();
        Buffer larger = allocate(newSize).order(oldBuffer.order());
        larger.put(oldBuffer.position(0)).position(position);
        oldBuffer.tryDispose();
        return larger;
    }

    /** Disposes of the buffer, also if another memory manager made it. */
    @Override
    public void release(Buffer buffer) {
        buffer.dispose();
    }

    /** Whether {@link #allocateAtLeast} gives direct memory for that size: more than 8 KiB, at most 32, with a policy of direct memory. */
    @Override
    public boolean willAllocateDirect(int size) {
        return size > MOST_WITH_ARRAY && size <= MOST_DIRECT && size <= memory.largest() && memory.isDirect();
    }

    @Override
    public MonitoringConfig<MemoryProbe> getMonitoringConfig() {
        return probes.config();
    }

    @Override
    public Buffer wrap(byte[] data) {
        return wrap(ByteBuffer.wrap(data));
    }

    @Override
    public Buffer wrap(byte[] data, int offset, int length) {
        return wrap(ByteBuffer.wrap(data, offset, length).slice());
    }

    @Override
    public Buffer wrap(String s) {
        return wrap(s, Charset.defaultCharset());
    }

    @Override
    public Buffer wrap(String s, Charset charset) {
        return wrap(s.getBytes(charset));
    }

    /** A buffer on memory of the caller's, which disposing of it leaves alone. */
    @Override
    public Buffer wrap(ByteBuffer byteBuffer) {
        return new ByteBufferWrapper(byteBuffer);
    }

    /**
     * Plain memory on the heap, which no pool counts: Grizzly releases none of what it allocates so ({@code BuffersBuffer.toByteBuffer}).
     *
     * @param size bytes
     */
    @Override
    public ByteBuffer allocateByteBuffer(int size) {
        return ByteBuffer.allocate(size);
    }

    /** As {@link #allocateByteBuffer}. */
    @Override
    public ByteBuffer allocateByteBufferAtLeast(int size) {
        return ByteBuffer.allocate(size);
    }

    /** As {@link #reallocate}, in plain memory. */
    @Override
    public ByteBuffer reallocateByteBuffer(ByteBuffer oldByteBuffer, int newSize) {
        int limit = oldByteBuffer.limit();
        if (oldByteBuffer.capacity() >= newSize) {
            return limit < newSize ? oldByteBuffer.limit(newSize) : oldByteBuffer;
        }
        int position = oldByteBuffer.position();
        ByteBuffer larger = allocateByteBuffer(newSize).order(oldByteBuffer.order());
        return larger.put(oldByteBuffer.position(0)).position(position);
    }

    /** Does nothing: the collector takes it. */
    @Override
    public void releaseByteBuffer(ByteBuffer byteBuffer) {}

    /**
     * What sockets are read into and, if it uses the heap, all else: for metrics, and to look for leaks.
     *
     * @return the pool itself
     */
    public BufferPool pool() {
        return memory.pool();
    }

    /**
     * Where buffers with arrays come from: {@link #pool} if that uses the heap.
     *
     * @return the pool itself
     */
    public BufferPool heapPool() {
        return arrays.pool();
    }

    /** Closes the pools that this one made. Buffers that are out may still be used and disposed of. */
    @Override
    public void close() {
        if (ownsPools) {
            memory.pool().close();
            arrays.pool().close();
        }
    }

    @Override
    public String toString() {
        return "GrizzlyMemoryManager[pool=" + pool().name() + ", heapPool="
                + heapPool().name() + "]";
    }
}
