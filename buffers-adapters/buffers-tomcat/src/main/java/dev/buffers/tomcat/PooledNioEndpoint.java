// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.tomcat;

import dev.buffers.BufferPool;
import dev.buffers.Exhaustion;
import java.nio.channels.SocketChannel;
import java.util.Locale;
import org.apache.tomcat.util.ExceptionUtils;
import org.apache.tomcat.util.collections.SynchronizedStack;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.NioEndpoint;
import org.apache.tomcat.util.net.SocketProperties;
import org.jspecify.annotations.Nullable;

/**
 * Tomcat's NIO endpoint with connections whose buffers are leases. It keeps no channels for reuse: without buffers they are small. With
 * OpenSSL, whose engines are not tested on leases, it is Tomcat's endpoint and nothing more.
 */
final class PooledNioEndpoint extends NioEndpoint {
    private @Nullable BufferPool pool;
    private @Nullable BufferPool heapPool;
    private boolean ownsPools;
    private boolean pooled;

    void setPools(BufferPool newPool, BufferPool newHeapPool) {
        if (ownsPools) {
            throw new IllegalStateException("the connector has been started: pool=" + pool);
        }
        pool = newPool;
        heapPool = newHeapPool;
    }

    @Nullable BufferPool pool() {
        return pool;
    }

    @Nullable BufferPool heapPool() {
        return heapPool;
    }

    /** Whether the connections are on the pools: false before the port is bound, and with OpenSSL. */
    boolean isPooled() {
        return pooled;
    }

    /** {@inheritDoc} Only now is it known whether Tomcat has chosen OpenSSL, which a listener of the server may do. */
    @Override
    public void bind() throws Exception {
        String tls = getSslImplementationName();
        pooled = !isSSLEnabled() || tls == null || !tls.toLowerCase(Locale.ROOT).contains("openssl");
        if (!pooled) {
            getLog().warn("this connector keeps Tomcat's own buffers, because OpenSSL is not supported on pooled ones:"
                    + " sslImplementationName=" + tls
                    + "; accepted: org.apache.tomcat.util.net.jsse.JSSEImplementation");
            super.bind();
            return;
        }
        getSocketProperties()
                .setDirectSslBuffer(false); // else Tomcat allocates two direct buffers per channel that stay unused
        boolean own = pool == null;
        if (own) {
            openPools();
        }
        if (isSSLEnabled() && heapPool != null && heapPool.settings().atLimit().kind() == Exhaustion.Kind.WAIT) {
            setUseSendfile(false); // with TLS its writes need leases, and the poller makes them: it would wait
        }
        try {
            super.bind();
        } catch (Throwable e) {
            closePools();
            throw e;
        }
    }

    private void openPools() {
        BufferPool first = BufferPool.builder("tomcat").forServer().build();
        try {
            heapPool = first.settings().policy().direct()
                    ? BufferPool.builder("tomcat-heap")
                            .forServer()
                            .policy("heap")
                            .build()
                    : first;
            pool = first;
            ownsPools = true;
        } catch (RuntimeException e) {
            first.close();
            throw e;
        }
    }

    @Override
    public void unbind() throws Exception {
        try {
            super.unbind();
        } finally {
            closePools();
        }
    }

    private void closePools() {
        if (!ownsPools) {
            return;
        }
        ownsPools = false;
        BufferPool first = pool;
        BufferPool second = heapPool;
        pool = null;
        heapPool = null;
        if (first != null && second != null) {
            first.close();
            second.close();
        }
    }

    /** {@inheritDoc} There is none: a channel that is used again could be in the hands of a thread of its last connection. */
    @Override
    protected @Nullable SynchronizedStack<NioChannel> getNioChannels() {
        return pooled ? null : super.getNioChannels();
    }

    @Override
    protected boolean setSocketOptions(SocketChannel socket) {
        if (!pooled) {
            return super.setSocketOptions(socket);
        }
        PooledSocketWrapper wrapper = null;
        try {
            NioChannel channel = newChannel();
            PooledSocketWrapper created =
                    new PooledSocketWrapper(channel, (ConnectionBuffers) channel.getBufHandler(), this);
            channel.reset(socket, created);
            connections.put(socket, created);
            wrapper = created;
            socket.configureBlocking(false);
            if (getUnixDomainSocketPath() == null) {
                socketProperties.setProperties(socket.socket());
            }
            created.setReadTimeout(getConnectionTimeout());
            created.setWriteTimeout(getConnectionTimeout());
            created.setKeepAliveLeft(getMaxKeepAliveRequests());
            getPoller().register(created);
            return true;
        } catch (Throwable e) {
            ExceptionUtils.handleThrowable(e);
            getLog().error(sm.getString("endpoint.socketOptionsError"), e);
            if (wrapper == null) {
                destroySocket(socket);
            }
            return false; // and the acceptor closes a registered socket
        }
    }

    private NioChannel newChannel() {
        BufferPool direct = pool;
        BufferPool heap = heapPool;
        if (direct == null || heap == null) {
            throw new IllegalStateException("the endpoint is not bound");
        }
        SocketProperties sizes = getSocketProperties();
        boolean tls = isSSLEnabled();
        ConnectionBuffers buffers =
                new ConnectionBuffers(tls ? heap : direct, sizes.getAppReadBufSize(), sizes.getAppWriteBufSize());
        return tls ? new PooledSecureNioChannel(buffers, this) : new PooledNioChannel(buffers);
    }
}
