// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.jvm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;

/** Virtual threads, which the Java 17 that this code is compiled for does not know. */
public final class VirtualThreads {
    private VirtualThreads() {}

    /** Why there are none; empty when there are. */
    public static Optional<String> obstacle() {
        return Runtime.version().feature() < 21
                ? Optional.of("virtual threads need Java 21 or later")
                : Optional.empty();
    }

    /**
     * Makes virtual threads. For the first one that waits for a socket the JVM opens its own file descriptors. If there are none, no
     * virtual thread of that JVM ever waits for a socket again: so one waits here, before a server takes them all.
     */
    public static ThreadFactory factory() {
        try {
            Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
            ThreadFactory factory = (ThreadFactory) Class.forName("java.lang.Thread$Builder")
                    .getMethod("factory")
                    .invoke(builder);
            waitOnce(factory);
            return factory;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(obstacle().orElse("no virtual threads"), e);
        }
    }

    /** One thread waits for a connection, and gets one once it is seen to wait: a time limit can be over before it waits at all. */
    private static void waitOnce(ThreadFactory factory) throws IOException, InterruptedException {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            FutureTask<Void> accept = new FutureTask<>(() -> {
                listener.accept().close();
                return null;
            });
            Thread first = factory.newThread(accept);
            first.start();
            while (first.isAlive() && first.getState() != Thread.State.WAITING) {
                Thread.sleep(1);
            }
            new Socket(listener.getInetAddress(), listener.getLocalPort()).close();
            accept.get();
        } catch (ExecutionException e) {
            throw new IOException("a virtual thread cannot wait for a socket", e.getCause());
        }
    }
}
