// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.memory;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.support.Eventually;
import dev.buffers.support.Jvm;
import dev.buffers.support.Threads;
import dev.buffers.support.channels.Sockets;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Memory that is given back when it is closed, and not while an I/O uses it (I7). */
class ArenaMemoryTest {
    private static final int MIB = 1 << 20;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 100, 4096, MIB})
    void allocateReturnsOrdinaryDirectBuffer(int bytes) {
        ArenaMemory memory = new ArenaMemory();
        ByteBuffer buffer = memory.allocate(bytes);
        assertTrue(buffer.isDirect());
        assertFalse(buffer.isReadOnly());
        assertEquals(ByteOrder.BIG_ENDIAN, buffer.order());
        assertEquals(0, buffer.position());
        assertEquals(bytes, buffer.limit());
        assertEquals(bytes, buffer.capacity());
        assertEquals(0, MemorySegment.ofBuffer(buffer).address() % 64);
        assertTrue(memory.tryClose());
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 4096, MIB})
    void memoryIsZeroedDespiteEarlierWrites(int bytes) {
        for (int round = 0; round < 20; round++) {
            ArenaMemory memory = new ArenaMemory();
            ByteBuffer buffer = memory.allocate(bytes);
            for (int i = 0; i < bytes; i++) {
                assertEquals(0, buffer.get(i));
                buffer.put(i, (byte) -1);
            }
            assertTrue(memory.tryClose());
        }
    }

    @Test
    void unusedMemoryCanBeClosed() {
        assertTrue(new ArenaMemory().tryClose());
    }

    @Test
    void secondThreadThatClosesWaits() throws Exception {
        for (int round = 0; round < 500; round++) {
            ArenaMemory memory = new ArenaMemory();
            ByteBuffer buffer = memory.allocate(4096);
            Threads.together(Collections.nCopies(2, () -> {
                assertTrue(memory.tryClose());
                assertThrows(IllegalStateException.class, () -> buffer.get(0));
            }));
        }
    }

    @Test
    void negativeSizeIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> new ArenaMemory().allocate(-1));
    }

    @Test
    void collectorReportsLostBuffer() {
        ArenaMemory memory = new ArenaMemory();
        ByteBuffer buffer = memory.allocate(MIB);
        WeakReference<ByteBuffer> base = new WeakReference<>(buffer);
        ByteBuffer view = buffer.slice(100, 100);
        buffer = null;
        System.gc();
        assertNotNull(base.get(), "a view does not hold the buffer first allocated");
        Reference.reachabilityFence(view);
        view = null;
        Eventually.collected("the buffer is taken", () -> base.get() == null);
        assertTrue(memory.tryClose());
    }

    @Test
    void viewsOfClosedMemoryThrow() throws Exception {
        ArenaMemory memory = new ArenaMemory();
        ByteBuffer buffer = memory.allocate(4096);
        List<ByteBuffer> views = List.of(
                buffer,
                buffer.slice(64, 64),
                buffer.slice(64, 64).slice(1, 10),
                buffer.duplicate(),
                buffer.asReadOnlyBuffer());
        for (ByteBuffer view : views) {
            assertEquals(0, view.get(0));
        }
        assertTrue(memory.tryClose());
        try (Sockets<SocketChannel> sockets = Sockets.connect()) {
            for (ByteBuffer view : views) {
                assertThrows(IllegalStateException.class, () -> view.get(0));
                assertThrows(IllegalStateException.class, () -> view.getLong(0));
                assertThrows(IllegalStateException.class, () -> view.get(0, new byte[8]));
                assertThrows(
                        IllegalStateException.class,
                        () -> ByteBuffer.allocate(4096).put(view));
                assertThrows(IllegalStateException.class, () -> sockets.near().write(view));
                if (!view.isReadOnly()) {
                    assertThrows(IllegalStateException.class, () -> view.put(0, (byte) 1));
                    assertThrows(IllegalStateException.class, () -> view.put(0, new byte[8]));
                }
            }
        }
        assertTrue(memory.tryClose());
    }

    @Test
    void socketsAndFilesAcceptViews(@TempDir Path folder) throws Exception {
        ArenaMemory memory = new ArenaMemory();
        ByteBuffer buffer = memory.allocate(4096);
        ByteBuffer out = buffer.slice(1000, 5).put("hello".getBytes(US_ASCII)).flip();
        ByteBuffer in = buffer.slice(2000, 5);
        try (Sockets<SocketChannel> sockets = Sockets.connect()) {
            assertEquals(5, sockets.near().write(out));
            while (in.hasRemaining()) {
                sockets.far().read(in);
            }
            assertEquals(out.rewind(), in.flip());

            assertEquals(10, sockets.near().write(new ByteBuffer[] {out, in}));
            ByteBuffer[] parts = {buffer.slice(3000, 7), buffer.slice(3500, 3)};
            for (int read = 0; read < 10; ) {
                read += (int) sockets.far().read(parts);
            }
            assertEquals("hellohello", US_ASCII.decode(parts[0].flip()).toString() + US_ASCII.decode(parts[1].flip()));
        }
        try (FileChannel file = FileChannel.open(
                folder.resolve("file"), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            assertEquals(5, file.write(out.rewind()));
            assertEquals(5, file.read(in.clear(), 0));
            assertEquals(out.rewind(), in.flip());
        }
        assertTrue(memory.tryClose());
    }

    @Test
    void pendingWritePreventsClose() throws Exception {
        ArenaMemory memory = new ArenaMemory();
        ByteBuffer out = memory.allocate(16 * MIB);
        try (Sockets<AsynchronousSocketChannel> sockets = Sockets.connectAsync()) {
            int sent = 0;
            Future<Integer> pending = sockets.near().write(out);
            while (endsSoon(pending)) { // until the system takes no more
                sent += pending.get();
                pending = sockets.near().write(out.clear());
            }
            assertFalse(memory.tryClose());
            ByteBuffer sink = ByteBuffer.allocateDirect(MIB);
            for (int received = 0; received <= sent; ) {
                received += sockets.far().read(sink.clear()).get();
            }
            assertTrue(pending.get() > 0);
            Eventually.holds("the write has let go of the memory", memory::tryClose);
        }
        assertThrows(IllegalStateException.class, () -> out.get(0));
    }

    private static boolean endsSoon(Future<Integer> io) throws Exception {
        try {
            io.get(300, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        }
    }

    /** Uses all there is, and more memory than the JVM's limit for direct memory. */
    static final class Probe {
        public static void main(String[] args) {
            long before = DirectLimit.used();
            ArenaMemory memory = new ArenaMemory();
            ByteBuffer view = memory.allocate(64 * MIB).slice(1, 100);
            view.putInt(0, 42);
            long grown = DirectLimit.used() - before;
            boolean closed = memory.tryClose();
            String stale = "";
            try {
                view.get(0);
            } catch (IllegalStateException e) {
                stale = e.getMessage();
            }
            System.out.println(ArenaMemory.available() + " " + grown + " " + closed + " " + stale);
        }
    }

    @Test
    void jvmNeitherLimitsArenaMemoryNorWarns() throws Exception {
        assertEquals("true 0 true Already closed\n", Jvm.run(Probe.class, "-XX:MaxDirectMemorySize=8m"));
    }

    @Test
    void arenaMemoryNeedsNoNativeAccess() throws Exception {
        String denied =
                Runtime.version().feature() >= 24 ? "--illegal-native-access=deny" : "--enable-native-access=java.base";
        assertEquals("true 0 true Already closed\n", Jvm.run(Probe.class, denied));
    }

    /** Asks for more than the JVM may have, and then for less. */
    static final class Greedy {
        public static void main(String[] args) {
            ArenaMemory memory = new ArenaMemory();
            try {
                memory.allocate(64 * MIB);
            } catch (OutOfMemoryError e) {
                System.out.println("out of memory");
            }
            memory.allocate(MIB);
            System.out.println(memory.tryClose());
        }
    }

    @Test
    void allocateFailsWithOutOfMemoryErrorAndRecovers() throws Exception {
        String output = Jvm.run(
                Greedy.class,
                "-XX:+UnlockDiagnosticVMOptions",
                "-XX:NativeMemoryTracking=summary",
                "-XX:MallocLimit=other:32m:oom");
        assertTrue(output.endsWith("out of memory\ntrue\n"), output);
    }
}
