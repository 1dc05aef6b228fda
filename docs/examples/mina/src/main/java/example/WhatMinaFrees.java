package example;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.mina.core.buffer.AbstractIoBuffer;
import org.apache.mina.core.buffer.IoBuffer;
import org.apache.mina.core.buffer.IoBufferAllocator;
import org.apache.mina.core.buffer.SimpleBufferAllocator;
import org.apache.mina.core.service.IoHandlerAdapter;
import org.apache.mina.core.session.IoSession;
import org.apache.mina.transport.socket.nio.NioSocketAcceptor;

/** Which of its buffers MINA gives back to an allocator, counted: why there is no adapter for it. */
final class WhatMinaFrees {
    private static final int REQUESTS = 100;

    /** Counts the buffers that are allocated, and how many of them and of their duplicates and slices are freed. */
    private static final class Counting implements IoBufferAllocator {
        private final AtomicInteger allocated = new AtomicInteger();
        private final AtomicInteger freed = new AtomicInteger();
        private final AtomicInteger freedParts = new AtomicInteger();
        private volatile boolean full;

        @Override
        public IoBuffer allocate(int capacity, boolean direct) {
            if (full) {
                throw new IllegalStateException("at the cap");
            }
            allocated.incrementAndGet();
            return new Counted(this, allocateNioBuffer(capacity, direct));
        }

        @Override
        public ByteBuffer allocateNioBuffer(int capacity, boolean direct) {
            return direct ? ByteBuffer.allocateDirect(capacity) : ByteBuffer.allocate(capacity);
        }

        @Override
        public IoBuffer wrap(ByteBuffer nioBuffer) {
            return new SimpleBufferAllocator().wrap(nioBuffer);
        }

        @Override
        public void dispose() {}

        @Override
        public String toString() {
            return "allocated=" + allocated + ", freed=" + freed + ", parts freed=" + freedParts;
        }
    }

    private static final class Counted extends AbstractIoBuffer {
        private final Counting allocator;
        private ByteBuffer memory;

        Counted(Counting allocator, ByteBuffer memory) {
            super(allocator, memory.capacity());
            this.allocator = allocator;
            this.memory = memory;
        }

        private Counted(Counted parent, ByteBuffer memory) {
            super(parent);
            this.allocator = parent.allocator;
            this.memory = memory;
        }

        @Override
        public ByteBuffer buf() {
            return memory;
        }

        @Override
        protected void buf(ByteBuffer larger) {
            memory = larger;
        }

        @Override
        public void free() {
            (isDerived() ? allocator.freedParts : allocator.freed).incrementAndGet();
        }

        @Override
        protected IoBuffer duplicate0() {
            return new Counted(this, memory.duplicate());
        }

        @Override
        protected IoBuffer slice0() {
            return new Counted(this, memory.slice());
        }

        @Override
        protected IoBuffer asReadOnlyBuffer0() {
            return new Counted(this, memory.asReadOnlyBuffer());
        }

        @Override
        public byte[] array() {
            return memory.array();
        }

        @Override
        public int arrayOffset() {
            return memory.arrayOffset();
        }

        @Override
        public boolean hasArray() {
            return memory.hasArray();
        }
    }

    /** Echoes every message. */
    private static final class Echo extends IoHandlerAdapter {
        @Override
        public void messageReceived(IoSession session, Object message) {
            session.write(message);
        }
    }

    private WhatMinaFrees() {}

    public static void main(String[] args) throws IOException {
        Counting counting = new Counting();
        IoBuffer.setAllocator(counting);
        NioSocketAcceptor server = new NioSocketAcceptor(1);
        server.setHandler(new Echo());
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        var address = server.getLocalAddress();
        long refusedMillis;
        try (Socket client = new Socket(address.getAddress(), address.getPort());
                Socket other = new Socket(address.getAddress(), address.getPort())) {
            echo(client, REQUESTS);
            echo(other, 1);
            System.out.println(REQUESTS + 1 + " requests: " + counting);
            expect(counting.allocated.get() > REQUESTS, "one buffer for each read");
            expect(counting.freed.get() == 0, "none of them is freed");
            expect(counting.freedParts.get() >= REQUESTS, "but a duplicate of each is");

            counting.full = true;
            client.getOutputStream().write(1);
            sleep(200);
            counting.full = false;
            long start = System.nanoTime();
            echo(other, 1);
            refusedMillis = (System.nanoTime() - start) / 1_000_000;
        }
        server.dispose(true);
        System.out.println("after one refusal another client waits for its answer, ms: " + refusedMillis);
        expect(refusedMillis > 500, "a refusal stops all sessions of the processor");
    }

    private static void echo(Socket client, int times) throws IOException {
        byte[] hello = "hello".getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i < times; i++) {
            client.getOutputStream().write(hello);
            expect(client.getInputStream().readNBytes(hello.length).length == hello.length, "an answer");
        }
    }

    private static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void expect(boolean holds, String what) {
        if (!holds) {
            throw new IllegalStateException("no longer so: " + what);
        }
    }
}
