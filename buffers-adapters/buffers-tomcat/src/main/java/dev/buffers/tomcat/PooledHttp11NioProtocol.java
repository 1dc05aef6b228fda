// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.tomcat;

import dev.buffers.BufferPool;
import java.util.Objects;
import org.apache.coyote.http11.Http11NioProtocol;
import org.jspecify.annotations.Nullable;

/**
 * Tomcat's HTTP connector with leases in the place of each connection's buffers. In {@code server.xml}:
 *
 * <pre>{@code
 * <Connector port="8080" protocol="dev.buffers.tomcat.PooledHttp11NioProtocol" />
 * }</pre>
 *
 * <p>and embedded:
 *
 * <pre>{@code
 * Connector connector = new Connector(new PooledHttp11NioProtocol(pool, heapPool));
 * }</pre>
 *
 * <p>Tomcat gives each connection a read and a write buffer, and two more with TLS, for as long as it is open. Here a connection holds
 * a lease only while bytes are in it: an idle one holds none. Every attribute of Tomcat's connector keeps its meaning, except that {@code
 * socket.directBuffer}, {@code socket.directSslBuffer} and {@code socket.bufferPool} have none: the pools decide on memory.
 *
 * <p><b>At the cap.</b> The pools that this class makes go on with plain heap memory ({@code at-limit=unpooled}), as Tomcat would without
 * them. With {@code at-limit=fail} the connection whose I/O needed the buffer gets an {@code IOException} and is closed; the acceptor and
 * the poller go on. With {@code at-limit=wait} the thread of that I/O waits; with TLS {@code sendfile} is switched off then, since its
 * thread is the poller.
 *
 * <p><b>What stays Tomcat's.</b> The memory of a request that is being worked at, what non-blocking writes could not send, HTTP/2 frames
 * and streams, and WebSocket messages. {@link #setResponseBufferSize} makes the largest part of a waiting request smaller. With OpenSSL, whose engines are not tested here, the connector keeps Tomcat's buffers, and the log
 * says so when it starts.
 *
 * <p><b>Threads.</b> As Tomcat's protocol handler: set up by one thread before the start. <b>Cost.</b> An acquire and a release for each
 * buffer of a request. <b>Source.</b> Tomcat 10.1, {@code NioEndpoint}; the same classes work with 11.0.
 */
public final class PooledHttp11NioProtocol extends Http11NioProtocol {
    private final PooledNioEndpoint endpoint;
    private int responseBufferSize = -1;

    /**
     * On pools named {@code tomcat} and, unless that uses the heap, {@code tomcat-heap}, with the settings of the system properties. They
     * are created when the connector binds its port, and closed when it has given it up.
     */
    public PooledHttp11NioProtocol() {
        this(new PooledNioEndpoint());
    }

    /**
     * On the caller's pools, which the caller closes after it has destroyed the connector. Build them with {@link
     * BufferPool.Builder#forServer}: a pool that refuses closes connections.
     *
     * @param pool what connections without TLS take
     * @param heapPool what connections with TLS take; may be {@code pool} if that uses the heap
     * @throws IllegalArgumentException when {@code heapPool} gives direct memory
     */
    public PooledHttp11NioProtocol(BufferPool pool, BufferPool heapPool) {
        this();
        setPools(pool, heapPool);
    }

    private PooledHttp11NioProtocol(PooledNioEndpoint endpoint) {
        super(endpoint);
        this.endpoint = endpoint;
    }

    /**
     * As the constructor with these parameters, for a handler that Tomcat has made from the class's name.
     *
     * @param pool what connections without TLS take
     * @param heapPool what connections with TLS take; may be {@code pool} if that uses the heap
     * @throws IllegalArgumentException when {@code heapPool} gives direct memory
     * @throws IllegalStateException when the connector has been started on its own pools
     */
    public void setPools(BufferPool pool, BufferPool heapPool) {
        Objects.requireNonNull(pool, "pool");
        if (heapPool.settings().policy().direct()) {
            throw new IllegalArgumentException("the pool of TLS must use the heap: heapPool=" + heapPool.name()
                    + ", policy=" + heapPool.settings().policy().name());
        }
        endpoint.setPools(pool, heapPool);
    }

    /**
     * The pool of connections without TLS: for metrics, and to look for leaks.
     *
     * @return null before the connector has bound its port and with OpenSSL, if it makes its own
     */
    public @Nullable BufferPool pool() {
        return endpoint.pool();
    }

    /**
     * The pool of connections with TLS.
     *
     * @return null before the connector has bound its port and with OpenSSL, if it makes its own
     */
    public @Nullable BufferPool heapPool() {
        return endpoint.heapPool();
    }

    /**
     * Whether the connections take their buffers from the pools.
     *
     * @return false before the connector has bound its port, and with OpenSSL
     */
    public boolean isPooled() {
        return endpoint.isPooled();
    }

    /**
     * The size of each response's buffer, as {@link #setResponseBufferSize} set it.
     *
     * @return -1 when Tomcat chooses, which is 8 KiB
     */
    public int getResponseBufferSize() {
        return responseBufferSize;
    }

    /**
     * Makes Tomcat's buffers of a response smaller, or larger. Each response has one byte and one char for each byte of this, three bytes
     * in all, and holds them while it waits: server-sent events and long polls of a connector with 1 KiB take 21 KB less each.
     *
     * <p>A response that is larger is committed when the buffer is full: it has no computed {@code Content-Length} then, and no error can
     * replace it. {@code ServletResponse.setBufferSize} gives one response more.
     *
     * @param bytes what {@code ServletResponse.getBufferSize} returns for a new response
     * @throws IllegalArgumentException when {@code bytes} is less than 1
     */
    public void setResponseBufferSize(int bytes) {
        if (bytes < 1) {
            throw new IllegalArgumentException("responseBufferSize=" + bytes + "; accepted: 1 and more");
        }
        responseBufferSize = bytes;
    }

    /** {@inheritDoc} Tomcat asks for each response that it creates. */
    @Override
    public int getDesiredBufferSize() {
        return responseBufferSize;
    }
}
