// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.net;

import java.io.Closeable;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.AsynchronousChannelGroup;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.NetworkChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.ZoneId;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A server of the bench. One thread accepts connections until the listener is closed, whatever fails. The most likely failure is that no
 * file descriptor is left: then clients wait in the system's backlog, and after a pause the thread tries again. Subclasses serve the
 * connections.
 *
 * @param <A> the type of accepted channels
 * @param <C> a connection; any thread may close it, and then the thread that serves it ends it
 */
@SuppressWarnings("this-escape") // the acceptor is started when the server is complete
public abstract class LoopbackServer<A extends NetworkChannel, C extends Closeable> implements AutoCloseable {
    private static final long PAUSE_MILLIS = 100;
    private static final long PATIENCE_SECONDS = 5;
    private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final System.Logger log = System.getLogger(getClass().getName());
    private final Listener<A> listener;
    private final int port;
    private final Thread acceptor = daemon(this::acceptAll, "acceptor");
    private final Set<C> connections = ConcurrentHashMap.newKeySet();
    private final LongAdder failures = new LongAdder();
    private long nextLine = System.nanoTime();

    /**
     * Where connections come from, on the loopback interface.
     *
     * @param channel the channel that listens
     * @param next waits for the next connection
     * @param <A> the type of accepted channels
     */
    public record Listener<A extends NetworkChannel>(NetworkChannel channel, Callable<A> next) {
        private static final int BACKLOG = 1024;

        /** Of blocking channels; port 0 is any free one. */
        public static Listener<SocketChannel> blocking(int port) throws IOException {
            ServerSocketChannel channel = ServerSocketChannel.open().bind(loopback(port), BACKLOG);
            return new Listener<>(channel, channel::accept);
        }

        /** Of asynchronous channels in that group, or in the JVM's own. */
        public static Listener<AsynchronousSocketChannel> asynchronous(@Nullable AsynchronousChannelGroup group)
                throws IOException {
            AsynchronousServerSocketChannel channel =
                    AsynchronousServerSocketChannel.open(group).bind(loopback(0), BACKLOG);
            return new Listener<>(channel, () -> channel.accept().get());
        }

        private static InetSocketAddress loopback(int port) {
            return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        }
    }

    /**
     * Makes one that does not accept yet. The first channel that a JVM closes takes two descriptors for good, and the first line of its log
     * reads settings and time zones from files. Without a descriptor both fail, and after such a failure never work again in that JVM: so
     * both are done here.
     */
    @SuppressWarnings("ReturnValueIgnored") // the calls count, not their results
    protected LoopbackServer(Listener<A> listener) throws IOException {
        this.listener = listener;
        this.port = ((InetSocketAddress) listener.channel().getLocalAddress()).getPort();
        SocketChannel.open().close();
        log.isLoggable(Level.ERROR);
        ZoneId.systemDefault();
    }

    /** Serves a channel from now on. When this throws, the channel is closed, and nothing of the connection may be left. */
    protected abstract void take(A channel) throws IOException;

    /** Ends all connections, waits until what they held is given back, and ends the threads. Nothing is accepted any more. */
    protected abstract void stop() throws IOException, InterruptedException;

    protected final void beginAccepting() {
        acceptor.start();
    }

    private void acceptAll() {
        while (isListening()) {
            A channel = null;
            try {
                channel = listener.next().call();
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
                take(channel);
            } catch (Exception | Error e) {
                abandon(channel);
                if (isListening()) {
                    refused(e);
                    pause();
                }
            }
        }
    }

    /** Logs it at most once in ten seconds, since the next connection cannot be accepted either. */
    private void refused(Throwable e) {
        long now = System.nanoTime();
        if (now - nextLine >= 0) {
            nextLine = now + SILENCE_NANOS;
            log("cannot accept a connection", e);
        }
    }

    /** Never throws: no loop ends because a line could not be logged. */
    private void log(String what, Throwable e) {
        try {
            log.log(Level.ERROR, what, e);
        } catch (RuntimeException | Error unloggable) {
            // no memory or no descriptor is left for it, as most likely for what failed
        }
    }

    /** Counts and logs an error of the server's own, which costs a connection. Any threads. */
    public final void failed(Throwable e) {
        failures.increment();
        log("the server failed", e);
    }

    /** Errors of the server's own so far. */
    public final long failures() {
        return failures.sum();
    }

    /** The connections that are open, which servers add and remove. Any threads. */
    protected final Set<C> open() {
        return connections;
    }

    /** Connections open now. */
    public final int connections() {
        return connections.size();
    }

    public final int port() {
        return port;
    }

    protected final boolean isListening() {
        return listener.channel().isOpen();
    }

    /** Stops accepting, ends all connections and waits until all they held is given back. */
    @Override
    public final void close() {
        try {
            listener.channel().close();
            acceptor.join();
            stop();
        } catch (IOException e) {
            failed(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Closes all connections, and waits some seconds until their threads have ended them. */
    protected final void endAll() throws IOException, InterruptedException {
        long patience = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!connections.isEmpty() && System.nanoTime() - patience < 0) {
            for (C connection : connections) {
                connection.close();
            }
            Thread.sleep(1);
        }
    }

    /** Closes an unused channel, and ignores any exception. */
    public static void abandon(@Nullable Closeable channel) {
        if (channel != null) {
            try {
                channel.close();
            } catch (IOException | RuntimeException | Error e) {
                // the channel is unused, and no caller needs to know
            }
        }
    }

    /** Lets a short time pass before a failed step is tried again. */
    public static void pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A thread that does not keep the JVM alive, not yet started. */
    public static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }
}
