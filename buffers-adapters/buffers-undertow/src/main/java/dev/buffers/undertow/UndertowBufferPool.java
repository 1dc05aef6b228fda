// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.undertow;

import dev.buffers.BufferPool;
import dev.buffers.Exhaustion;
import dev.buffers.PoolExhaustedException;
import dev.buffers.PooledBuffer;
import io.undertow.Undertow;
import io.undertow.UndertowOptions;
import io.undertow.connector.ByteBufferPool;
import io.undertow.connector.PooledByteBuffer;
import io.undertow.protocols.ssl.UndertowXnioSsl;
import io.undertow.server.HttpHandler;
import io.undertow.server.protocol.http.AlpnOpenListener;
import io.undertow.server.protocol.http.HttpOpenListener;
import io.undertow.server.protocol.http2.Http2OpenListener;
import io.undertow.util.ImmediatePooledByteBuffer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.xnio.ChannelListener;
import org.xnio.ChannelListeners;
import org.xnio.OptionMap;
import org.xnio.Options;
import org.xnio.StreamConnection;
import org.xnio.XnioIoThread;
import org.xnio.XnioWorker;
import org.xnio.channels.AcceptingChannel;
import org.xnio.ssl.SslConnection;

/**
 * A {@link BufferPool} as Undertow wants it: {@code Undertow.builder().setByteBufferPool(UndertowBufferPool.create())}.
 *
 * <p>Undertow uses buffers of one size. Code that wants an array (decompression, multipart forms, the blocking sender and receiver) uses
 * the {@linkplain #getArrayBackedPool array-backed twin}, a separate pool under the name {@code <name>-heap}, unless this one's buffers
 * have arrays. Every buffer is a separate lease: closing it again does nothing, and using it afterwards throws, even if another holder has
 * its memory by then.
 *
 * <p><b>TLS.</b> Undertow's builder does not hand its pool to the TLS layer, which then uses a static pool of Undertow's, and has no way
 * to change that: open HTTPS listeners with {@link #addHttpsListener}.
 *
 * <p><b>Faults of Undertow</b> with any pool. In these places Undertow drops a buffer without closing it; the first two can be avoided:
 *
 * <ul>
 *   <li>the bytes that came with a request to upgrade, when the connection ends before they are read: use a {@link ReleasingHandler};
 *   <li>the answer to a client that has sent more than one request and leaves: set {@link UndertowOptions#BUFFER_PIPELINED_DATA} to false;
 *   <li>a binary web socket message that it puts together, when the sender vanishes halfway;
 *   <li>an HTTP/2 answer that a blocking handler writes, when the client resets the stream just as Undertow allocates the next buffer;
 *   <li>the header of an AJP answer that is still queued when the server closes the connection.
 * </ul>
 *
 * <p>This pool counts such a lease as lost, and has its memory again once the collector has taken it; the cap holds in the meantime. In
 * addition, a thread that is not the connection's I/O thread, such as that of a blocking handler, may write an HTTP/2 answer into a buffer
 * just after a reset of the stream has closed it. Another holder may have that memory by then. {@code exchange.getIoThread().execute}
 * writes on the right thread.
 *
 * <p><b>Threads.</b> Any thread, and a thread may close a buffer that another thread allocated. <b>Cost.</b> That of an acquire and a
 * release, and two small objects. <b>Source.</b> Undertow 2.4, {@code io.undertow.connector}; the same classes work with 2.3.
 */
public final class UndertowBufferPool implements ByteBufferPool {
    /**
     * What Undertow's builder uses on all but small heaps: with it a write of a whole buffer fits into one TLS record, and the pool has a
     * size class of 16 KiB for it.
     */
    public static final int DEFAULT_BUFFER_SIZE = 16 * 1024 - 20;

    /** A TLS record at its largest, as JSSE wants room for it; the pool has a size class of just that. */
    private static final int TLS_RECORD = 16_896;

    private final BufferPool pool;
    private final @Nullable UndertowBufferPool arrays;
    private final int bufferSize;
    private final boolean ownsPool;

    private UndertowBufferPool(BufferPool pool, @Nullable UndertowBufferPool arrays, int bufferSize, boolean ownsPool) {
        this.pool = pool;
        this.arrays = arrays;
        this.bufferSize = bufferSize;
        this.ownsPool = ownsPool;
    }

    /**
     * Pools named {@code undertow} and, if need be, {@code undertow-heap}, with the settings of the system properties.
     *
     * @return a pool, the caller's to close
     * @throws IllegalArgumentException when a setting is not acceptable
     */
    public static UndertowBufferPool create() {
        return create("undertow", DEFAULT_BUFFER_SIZE);
    }

    /**
     * Pools of that name and, if need be, {@code <name>-heap}, with the settings of the system properties; closed with this one.
     *
     * @param name as {@link BufferPool#create(String)} takes it
     * @param bufferSize bytes, at least 1
     * @return a pool, the caller's to close
     * @throws IllegalArgumentException when the name, a setting or the size is not acceptable
     */
    public static UndertowBufferPool create(String name, int bufferSize) {
        checkSize(bufferSize);
        BufferPool pool = BufferPool.builder(name).forServer().build();
        if (!pool.settings().policy().direct()) {
            return new UndertowBufferPool(pool, null, bufferSize, true);
        }
        try {
            BufferPool heap = BufferPool.builder(name + "-heap")
                    .forServer()
                    .policy("heap")
                    .build();
            return new UndertowBufferPool(pool, new UndertowBufferPool(heap, null, bufferSize, true), bufferSize, true);
        } catch (RuntimeException e) {
            pool.close();
            throw e;
        }
    }

    /**
     * The same over pools of the caller's, who closes them, and best builds them with {@link BufferPool.Builder#forServer}.
     *
     * @param pool what most buffers come from
     * @param heap what buffers with arrays come from; may be {@code pool} if that uses the heap
     * @param bufferSize bytes, at least 1
     * @return a pool whose {@link #close} leaves both open
     * @throws IllegalArgumentException when {@code heap} gives direct memory, or the size is not acceptable
     */
    public static UndertowBufferPool of(BufferPool pool, BufferPool heap, int bufferSize) {
        Objects.requireNonNull(pool, "pool");
        checkSize(bufferSize);
        if (heap.settings().policy().direct()) {
            throw new IllegalArgumentException("the array-backed pool must use the heap: heap=" + heap.name()
                    + ", policy=" + heap.settings().policy().name());
        }
        return new UndertowBufferPool(
                pool,
                pool.settings().policy().direct() ? new UndertowBufferPool(heap, null, bufferSize, false) : null,
                bufferSize,
                false);
    }

    private static void checkSize(int bufferSize) {
        if (bufferSize < 1) {
            throw new IllegalArgumentException("bufferSize must be at least 1: bufferSize=" + bufferSize);
        }
    }

    /**
     * A buffer at position 0 whose limit is {@link #getBufferSize}, the caller's until it closes it. At the cap the pools that {@link
     * #create} makes go on with plain heap memory ({@code at-limit=unpooled}). With another value, an I/O thread that the pool refuses
     * gets a separate heap buffer; the acquire counts as refused. Undertow handles no refusal there. It would try again at once and log
     * each time, and never read a web socket again. Nor does an I/O thread wait for memory: its other connections would wait with it.
     *
     * @throws PoolExhaustedException in any other thread at the cap, if {@code at-limit} says so
     * @throws IllegalStateException when the pool is closed
     */
    @Override
    public PooledByteBuffer allocate() {
        boolean io = Thread.currentThread() instanceof XnioIoThread;
        try {
            boolean wouldWait = io && pool.settings().atLimit().kind() == Exhaustion.Kind.WAIT;
            PooledBuffer lease = wouldWait ? pool.tryAcquire(bufferSize) : pool.acquire(bufferSize);
            if (lease != null) {
                return new UndertowBuffer(lease);
            }
        } catch (PoolExhaustedException e) {
            if (!io) {
                throw e;
            }
        }
        return new ImmediatePooledByteBuffer(ByteBuffer.allocate(bufferSize));
    }

    /** The pool whose buffers have arrays: this one, or its twin on the heap, whose buffers are of the same size. */
    @Override
    public ByteBufferPool getArrayBackedPool() {
        return arrays == null ? this : arrays;
    }

    /** Closes the pools that {@link #create} made. Buffers that are out may still be used and closed. */
    @Override
    public void close() {
        if (ownsPool) {
            pool.close();
        }
        if (arrays != null) {
            arrays.close();
        }
    }

    @Override
    public int getBufferSize() {
        return bufferSize;
    }

    @Override
    public boolean isDirect() {
        return pool.settings().policy().direct();
    }

    /**
     * What the buffers come from: for metrics, and to look for leaks.
     *
     * @return the pool of most buffers; those with arrays may come from another
     */
    public BufferPool pool() {
        return pool;
    }

    /**
     * Opens an HTTPS listener whose TLS records are in buffers of this pool too; otherwise one like those of Undertow's builder. Buffers
     * larger than a record, which JSSE asks for only when {@code jsse.SSLEngine.acceptLargeFragments} is set, are Undertow's own.
     *
     * @param server which has been started. Stopping it ends the listener, unless the server has a worker that the caller gave it: then
     *     close the listener first
     * @param address where to listen; port 0 for any, which {@code getLocalAddress} of the result tells
     * @param context of its TLS
     * @param handler of its requests
     * @param options as for {@link Undertow.Builder#setServerOption} and {@link Undertow.Builder#setSocketOption}, whose values for the
     *     server do not hold here, nor does its executor of TLS tasks: with {@link UndertowOptions#ENABLE_HTTP2} it speaks HTTP/2 too
     * @return the listener, closed to end it alone
     * @throws IOException when the address cannot be listened on
     * @throws IllegalStateException when the server has not been started
     */
    public AcceptingChannel<SslConnection> addHttpsListener(
            Undertow server, InetSocketAddress address, SSLContext context, HttpHandler handler, OptionMap options)
            throws IOException {
        XnioWorker worker = server.getWorker();
        if (worker == null) {
            throw new IllegalStateException("the server must have been started: worker=null");
        }
        UndertowXnioSsl tls = new UndertowXnioSsl(
                worker.getXnio(), OptionMap.create(Options.USE_DIRECT_BUFFERS, isDirect()), records(), context);
        AcceptingChannel<SslConnection> listener = tls.createSslConnectionServer(
                worker,
                address,
                ChannelListeners.openListenerAdapter(opener(new ReleasingHandler(handler), options)),
                socketOptions(options));
        listener.resumeAccepts();
        return listener;
    }

    /** What speaks HTTP on a connection, with the defaults of Undertow's builder but for one. */
    private ChannelListener<StreamConnection> opener(HttpHandler handler, OptionMap options) {
        OptionMap serverOptions = OptionMap.builder()
                .set(UndertowOptions.BUFFER_PIPELINED_DATA, false) // else it may drop the buffer
                .set(UndertowOptions.NO_REQUEST_TIMEOUT, (int) TimeUnit.MINUTES.toMillis(1))
                .addAll(options)
                .getMap();
        HttpOpenListener http = new HttpOpenListener(this, serverOptions);
        http.setRootHandler(handler);
        if (!options.get(UndertowOptions.ENABLE_HTTP2, UndertowOptions.DEFAULT_ENABLE_HTTP2)) {
            return http;
        }
        Http2OpenListener http2 = new Http2OpenListener(this, serverOptions);
        http2.setRootHandler(handler);
        AlpnOpenListener alpn = new AlpnOpenListener(this, serverOptions, http);
        alpn.addProtocol(Http2OpenListener.HTTP2, http2, 10);
        return alpn;
    }

    private static OptionMap socketOptions(OptionMap options) {
        return OptionMap.builder()
                .set(Options.TCP_NODELAY, true)
                .set(Options.REUSE_ADDRESSES, true)
                .set(Options.BALANCING_TOKENS, 1)
                .set(Options.BALANCING_CONNECTIONS, 2)
                .set(Options.BACKLOG, 1000)
                .addAll(options)
                .getMap();
    }

    /** The same pools with buffers that are large enough for a record. */
    private UndertowBufferPool records() {
        int size = Math.max(bufferSize, TLS_RECORD);
        return new UndertowBufferPool(
                pool, arrays == null ? null : new UndertowBufferPool(arrays.pool, null, size, false), size, false);
    }

    @Override
    public String toString() {
        return "UndertowBufferPool[pool=" + pool.name() + ", bufferSize=" + bufferSize + "]";
    }
}
