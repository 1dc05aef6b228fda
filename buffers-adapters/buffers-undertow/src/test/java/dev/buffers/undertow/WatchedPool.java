// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.undertow;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.undertow.connector.ByteBufferPool;
import io.undertow.connector.PooledByteBuffer;
import io.undertow.server.DefaultByteBufferPool;
import io.undertow.server.protocol.framed.AbstractFramedStreamSinkChannel;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.xnio.XnioIoThread;

/** Undertow's own pool, which keeps all buffers that come back to it, with a list of the open ones. */
final class WatchedPool implements ByteBufferPool {
    private final ByteBufferPool own = new DefaultByteBufferPool(true, UndertowBufferPool.DEFAULT_BUFFER_SIZE, 1000, 4);
    private final Set<Watched> open = ConcurrentHashMap.newKeySet();
    private volatile Gate gate = new Gate("");

    /** How many buffers are out that were allocated by such a method, or by one that it called. */
    long open(Class<?> by) {
        return open(by.getName());
    }

    /** The same for a class that is not public. */
    long open(String by) {
        return open.stream().filter(buffer -> buffer.isFrom(by)).count();
    }

    /** The next handler that comes by here from that method of a stream's sink waits at the gate. */
    Gate close(String method) {
        gate = new Gate(method);
        return gate;
    }

    @Override
    public PooledByteBuffer allocate() {
        gate.pass(null);
        return new Watched(own.allocate());
    }

    @Override
    public ByteBufferPool getArrayBackedPool() {
        return own.getArrayBackedPool();
    }

    @Override
    public void close() {
        own.close();
    }

    @Override
    public int getBufferSize() {
        return own.getBufferSize();
    }

    @Override
    public boolean isDirect() {
        return own.isDirect();
    }

    /** Where one handler waits; Undertow's I/O threads go on. */
    static final class Gate {
        private final String method;
        private final CountDownLatch reached = new CountDownLatch(1);
        private final CountDownLatch opened = new CountDownLatch(1);

        private volatile @Nullable ByteBuffer seen;

        private Gate(String method) {
            this.method = method;
        }

        private void pass(@Nullable ByteBuffer view) {
            if (reached.getCount() == 0 || Thread.currentThread() instanceof XnioIoThread || !isFromSink()) {
                return;
            }
            seen = view;
            reached.countDown();
            await(opened);
        }

        /** Whether {@link #method} has called the pool or the buffer, which has called {@link #pass}. */
        private boolean isFromSink() {
            StackWalker.StackFrame caller = StackWalker.getInstance()
                    .walk(frames -> frames.skip(3).findFirst().orElseThrow());
            return caller.getMethodName().equals(method)
                    && caller.getClassName().equals(AbstractFramedStreamSinkChannel.class.getName());
        }

        void awaitReached() {
            await(reached);
        }

        /** The buffer that the handler is about to use, if it has one already. */
        @Nullable ByteBuffer seen() {
            return seen;
        }

        void open() {
            opened.countDown();
        }

        static void await(CountDownLatch latch) {
            try {
                assertTrue(latch.await(300, TimeUnit.SECONDS));
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    private final class Watched implements PooledByteBuffer {
        private final PooledByteBuffer buffer;
        private final StackTraceElement[] stack = new Throwable().getStackTrace();

        private Watched(PooledByteBuffer buffer) {
            this.buffer = buffer;
            open.add(this);
        }

        private boolean isFrom(String caller) {
            for (StackTraceElement frame : stack) {
                if (frame.getClassName().equals(caller)) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public ByteBuffer getBuffer() {
            ByteBuffer view = buffer.getBuffer();
            gate.pass(view);
            return view;
        }

        @Override
        public void close() {
            open.remove(this);
            if (!buffer.isOpen() || buffer.getBuffer() != gate.seen()) { // which the test wants to look at
                buffer.close();
            }
        }

        @Override
        public boolean isOpen() {
            return buffer.isOpen();
        }
    }
}
