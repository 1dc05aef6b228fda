// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.grizzly;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.glassfish.grizzly.Buffer;
import org.glassfish.grizzly.memory.Buffers;
import org.glassfish.grizzly.memory.BuffersBuffer;
import org.glassfish.grizzly.memory.ByteBufferAware;
import org.glassfish.grizzly.memory.MemoryManager;
import org.glassfish.grizzly.memory.WrapperAware;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What holds for Grizzly's own memory managers holds for ours: the same tests.
 * Where ours means to differ is in {@link GrizzlyMemoryManagerTest}.
 */
class MemoryManagerContractTest {
    private static final List<Integer> SIZES = List.of(33, 100, 512, 4096, 16_384, 65_536, 300_000);

    private static byte[] random(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    /** The bytes between position and limit, which stay. */
    private static byte[] content(Buffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        int position = buffer.position();
        buffer.get(bytes).position(position);
        return bytes;
    }

    private static Buffer filled(MemoryManager<Buffer> memory, byte[] bytes) {
        return memory.allocate(bytes.length).put(bytes).flip();
    }

    /** Takes memory and overwrites it: memory that was given back too early does not survive this. */
    private static void churn(MemoryManager<Buffer> memory, int size) {
        Buffer[] others = new Buffer[20];
        byte[] dirt = new byte[size];
        Arrays.fill(dirt, (byte) 0xdd);
        for (int i = 0; i < others.length; i++) {
            others[i] = filled(memory, dirt);
        }
        for (int i = others.length - 1; i >= 0; i--) {
            others[i].dispose();
        }
    }

    @ParameterizedTest
    @EnumSource
    void buffersArriveClear(Subject subject) throws Exception {
        subject.run(memory -> {
            for (int size : SIZES) {
                for (Buffer buffer : List.of(memory.allocate(size), memory.allocateAtLeast(size))) {
                    assertEquals(0, buffer.position());
                    assertTrue(buffer.remaining() >= size);
                    assertTrue(buffer.capacity() >= buffer.limit());
                    assertEquals(ByteOrder.BIG_ENDIAN, buffer.order());
                    assertFalse(buffer.isReadOnly());
                    assertFalse(buffer.isComposite());
                    assertFalse(buffer.isExternal());
                    buffer.order(ByteOrder.LITTLE_ENDIAN).position(1).mark();
                    buffer.position(0); // drops the mark
                    assertThrows(RuntimeException.class, buffer::reset);
                    buffer.dispose();
                }
                Buffer exact = memory.allocate(size);
                assertEquals(size, exact.limit());
                exact.dispose();
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void bytesAndNumbersComeBack(Subject subject) throws Exception {
        subject.run(memory -> {
            byte[] bytes = random(1000);
            for (ByteOrder order : List.of(ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN)) {
                Buffer buffer = memory.allocate(2000).order(order);
                buffer.put(bytes)
                        .put((byte) 1)
                        .putChar('c')
                        .putShort((short) 2)
                        .putInt(3)
                        .putLong(4);
                buffer.putFloat(5)
                        .putDouble(6)
                        .put(ByteBuffer.wrap(bytes, 10, 20))
                        .put8BitString("text");
                ByteBuffer expected = ByteBuffer.allocate(2000).order(order);
                expected.put(bytes)
                        .put((byte) 1)
                        .putChar('c')
                        .putShort((short) 2)
                        .putInt(3)
                        .putLong(4);
                expected.putFloat(5).putDouble(6).put(bytes, 10, 20).put("text".getBytes(StandardCharsets.US_ASCII));
                buffer.flip();
                expected.flip();
                byte[] all = new byte[expected.remaining()];
                expected.get(all);
                assertArrayEquals(all, content(buffer));
                assertEquals('c', buffer.getChar(1001));
                assertEquals(4, buffer.getLong(1009));
                assertEquals("text", buffer.toStringContent(StandardCharsets.US_ASCII, all.length - 4, all.length));
                buffer.position(500).compact();
                assertEquals(all.length - 500, buffer.position());
                assertArrayEquals(Arrays.copyOfRange(all, 500, all.length), content(buffer.flip()));
                buffer.dispose();
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void trimFlips(Subject subject) throws Exception {
        subject.run(memory -> {
            byte[] bytes = random(700);
            for (Buffer buffer : List.of(memory.allocate(5000), memory.allocateAtLeast(5000))) {
                buffer.put(bytes).trim();
                churn(memory, 5000);
                assertEquals(0, buffer.position());
                assertArrayEquals(bytes, content(buffer));
                buffer.dispose();
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void shrinkKeepsUnreadBytes(Subject subject) throws Exception {
        subject.run(memory -> {
            byte[] bytes = random(5000);
            Buffer buffer = filled(memory, bytes);
            buffer.position(1234);
            buffer.shrink();
            churn(memory, 5000);
            assertArrayEquals(Arrays.copyOfRange(bytes, 1234, 5000), content(buffer));
            buffer.dispose();
        });
    }

    @ParameterizedTest
    @EnumSource
    void splitMakesTwo(Subject subject) throws Exception {
        subject.run(memory -> {
            byte[] bytes = random(5000);
            for (int at : new int[] {0, 1, 1000, 2000, 3000, 4999}) {
                Buffer first = filled(memory, bytes);
                int capacity = first.capacity();
                first.limit(3000).position(1000);
                Buffer second = first.split(at);
                assertNotSame(first, second);
                assertEquals(at, first.capacity());
                assertEquals(capacity - at, second.capacity());
                assertEquals(Math.min(1000, at), first.position());
                assertEquals(Math.min(3000, at), first.limit());
                assertEquals(Math.max(0, 1000 - at), second.position());
                assertEquals(Math.max(0, 3000 - at), second.limit());
                assertArrayEquals(
                        Arrays.copyOfRange(bytes, 0, at),
                        content(first.position(0).limit(at)));
                assertArrayEquals(
                        Arrays.copyOfRange(bytes, at, 5000),
                        content(second.clear().limit(5000 - at)));
                second.dispose();
                first.dispose();
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void splitAtTheEndLeavesNothing(Subject subject) throws Exception {
        subject.run(memory -> {
            Buffer first = memory.allocate(100);
            Buffer rest = first.split(first.capacity());
            assertEquals(0, rest.remaining());
            assertEquals(100, first.remaining());
            rest.tryDispose();
            first.dispose();
        });
    }

    @ParameterizedTest
    @EnumSource
    void splitOutsideIsRefused(Subject subject) throws Exception {
        subject.run(memory -> {
            Buffer buffer = memory.allocate(100);
            assertThrows(IllegalArgumentException.class, () -> buffer.split(-1));
            assertThrows(IllegalArgumentException.class, () -> buffer.split(buffer.capacity() + 1));
            buffer.dispose();
        });
    }

    @ParameterizedTest
    @EnumSource
    void halvesOfASplitEndOnTheirOwn(Subject subject) throws Exception {
        subject.run(memory -> {
            byte[] bytes = random(5000);
            Buffer first = filled(memory, bytes);
            Buffer second = first.split(2000);
            second.dispose();
            churn(memory, 2000);
            assertArrayEquals(Arrays.copyOf(bytes, 2000), content(first));
            first.dispose();

            first = filled(memory, bytes);
            second = first.split(2000).limit(3000);
            first.dispose();
            churn(memory, 2000);
            assertArrayEquals(Arrays.copyOfRange(bytes, 2000, 5000), content(second));
            second.dispose();
        });
    }

    @ParameterizedTest
    @EnumSource
    void viewsShareTheBytesAndNothingElse(Subject subject) throws Exception {
        subject.run(memory -> {
            Buffer buffer = filled(memory, random(1000));
            buffer.position(100).limit(900);
            Buffer slice = buffer.slice();
            Buffer part = buffer.slice(200, 300);
            Buffer duplicate = buffer.duplicate();
            Buffer readOnly = buffer.asReadOnlyBuffer();
            assertEquals(800, slice.capacity());
            assertEquals(800, slice.remaining());
            assertEquals(100, part.capacity());
            assertEquals(100, duplicate.position());
            assertEquals(900, duplicate.limit());
            assertEquals(buffer.capacity(), duplicate.capacity());
            assertEquals(100, readOnly.position());
            assertTrue(readOnly.isReadOnly());
            assertThrows(RuntimeException.class, () -> readOnly.put((byte) 1));
            buffer.put(250, (byte) 42);
            assertEquals(42, slice.get(150));
            assertEquals(42, part.get(50));
            assertEquals(42, duplicate.get(250));
            assertEquals(42, readOnly.get(250));
            slice.position(7);
            duplicate.position(8);
            assertEquals(100, buffer.position());
            for (Buffer each : List.of(readOnly, duplicate, part, slice, buffer)) {
                each.dispose();
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void reallocateKeepsWrittenBytes(Subject subject) throws Exception {
        subject.run(memory -> {
            byte[] bytes = random(400);
            for (int larger : new int[] {1000, 1001, 1300, 5000, 70_000, 300_000}) {
                Buffer buffer = memory.allocate(1000);
                buffer.put(bytes);
                Buffer grown = memory.reallocate(buffer, larger);
                assertEquals(400, grown.position());
                assertEquals(larger, grown.limit());
                churn(memory, larger);
                grown.put(bytes).flip();
                assertArrayEquals(bytes, Arrays.copyOf(content(grown), 400));
                assertArrayEquals(bytes, Arrays.copyOfRange(content(grown), 400, 800));
                grown.dispose();
            }
            Buffer same = memory.allocate(1000);
            assertEquals(same.position(10), memory.reallocate(same, 500));
            assertEquals(10, same.position());
            same.dispose();
        });
    }

    @ParameterizedTest
    @EnumSource
    void useAfterDisposeThrows(Subject subject) throws Exception {
        subject.run(memory -> {
            Buffer buffer = filled(memory, random(1000));
            buffer.dispose();
            assertThrows(IllegalStateException.class, buffer::position);
            assertThrows(IllegalStateException.class, () -> buffer.position(1));
            assertThrows(IllegalStateException.class, buffer::limit);
            assertThrows(IllegalStateException.class, buffer::slice);
            assertThrows(IllegalStateException.class, buffer::duplicate);
            assertThrows(IllegalStateException.class, buffer::asReadOnlyBuffer);
            assertThrows(IllegalStateException.class, () -> buffer.split(1));
            assertThrows(IllegalStateException.class, buffer::shrink);
            assertThrows(IllegalStateException.class, buffer::underlying);
            assertThrows(IllegalStateException.class, buffer::dispose);
        });
    }

    @ParameterizedTest
    @EnumSource
    void tryDisposeAsksFirst(Subject subject) throws Exception {
        subject.run(memory -> {
            Buffer buffer = memory.allocate(1000);
            buffer.allowBufferDispose(false);
            assertFalse(buffer.allowBufferDispose());
            assertFalse(buffer.tryDispose());
            assertFalse(buffer.release());
            assertEquals(1000, buffer.remaining());
            buffer.allowBufferDispose(true);
            assertTrue(buffer.allowBufferDispose());
            assertTrue(buffer.tryDispose());
            assertThrows(IllegalStateException.class, buffer::limit);
        });
    }

    @ParameterizedTest
    @EnumSource
    void compositesDisposeOfTheirParts(Subject subject) throws Exception {
        subject.run(memory -> {
            byte[] bytes = random(5000);
            Buffer[] parts = new Buffer[5];
            for (int i = 0; i < parts.length; i++) {
                parts[i] = filled(memory, Arrays.copyOfRange(bytes, 1000 * i, 1000 * i + 1000));
                parts[i].allowBufferDispose(true);
            }
            BuffersBuffer composite = BuffersBuffer.create(memory);
            composite.allowBufferDispose(true);
            for (Buffer part : parts) {
                composite.append(part);
            }
            assertArrayEquals(bytes, content(composite));
            Buffer rest = composite.split(2500);
            assertArrayEquals(Arrays.copyOf(bytes, 2500), content(composite));
            assertArrayEquals(Arrays.copyOfRange(bytes, 2500, 5000), content(rest));
            rest.position(700);
            rest.shrink();
            churn(memory, 1000);
            assertArrayEquals(Arrays.copyOfRange(bytes, 3200, 5000), content(rest));
            rest.allowBufferDispose(true);
            rest.tryDispose();
            composite.tryDispose();
            assertThrows(IllegalStateException.class, parts[0]::limit);
            assertThrows(IllegalStateException.class, parts[4]::limit);
        });
    }

    @ParameterizedTest
    @EnumSource
    void appendingAndCloning(Subject subject) throws Exception {
        subject.run(memory -> {
            byte[] bytes = random(3000);
            Buffer first = filled(memory, Arrays.copyOf(bytes, 1000));
            Buffer second = filled(memory, Arrays.copyOfRange(bytes, 1000, 3000));
            first.allowBufferDispose(true);
            second.allowBufferDispose(true);
            Buffer both = Buffers.appendBuffers(memory, first, second, true);
            assertArrayEquals(bytes, content(both));
            Buffer larger = memory.allocate(4000).put(both);
            assertArrayEquals(bytes, content(larger.flip()));
            both.dispose();
            larger.dispose();
        });
    }

    @ParameterizedTest
    @EnumSource
    void wrappedMemoryIsLeftAlone(Subject subject) throws Exception {
        subject.run(memory -> {
            WrapperAware wrapper = (WrapperAware) memory;
            byte[] bytes = "some bytes".getBytes(StandardCharsets.UTF_8);
            Buffer whole = wrapper.wrap(bytes);
            Buffer part = wrapper.wrap(bytes, 5, 4);
            assertEquals("some bytes", whole.toStringContent(StandardCharsets.UTF_8));
            assertEquals("byte", part.toStringContent(StandardCharsets.UTF_8));
            assertEquals(4, part.remaining());
            whole.put(5, (byte) 'k');
            assertEquals("kyte", part.toStringContent(StandardCharsets.UTF_8));
            assertEquals("text", wrapper.wrap("text").toStringContent());
            assertEquals(
                    "t\u00e4xt",
                    wrapper.wrap("t\u00e4xt", StandardCharsets.UTF_16LE).toStringContent(StandardCharsets.UTF_16LE));
            for (ByteBuffer bare : List.of(
                    ByteBuffer.wrap(bytes),
                    ByteBuffer.allocateDirect(10).put(bytes).flip())) {
                Buffer buffer = wrapper.wrap(bare.position(5));
                assertEquals("kytes", buffer.toStringContent(StandardCharsets.UTF_8));
                buffer.dispose();
            }
            whole.dispose();
            part.dispose();
            assertEquals("some kytes", new String(bytes, StandardCharsets.UTF_8));
        });
    }

    @ParameterizedTest
    @EnumSource
    void byteBuffersShowTheSameBytes(Subject subject) throws Exception {
        subject.run(memory -> {
            byte[] bytes = random(1000);
            Buffer buffer = filled(memory, bytes);
            buffer.position(100);
            ByteBuffer bare = buffer.toByteBuffer();
            assertEquals(900, bare.remaining());
            assertEquals(bytes[100], bare.get(bare.position()));
            bare = buffer.toByteBuffer(200, 300);
            assertEquals(100, bare.remaining());
            assertEquals(bytes[200], bare.get(bare.position()));
            if (buffer.hasArray()) {
                assertEquals(bytes[7], buffer.array()[buffer.arrayOffset() + 7]);
            }
            buffer.position(0).limit(1000);
            assertEquals(1000, buffer.toByteBufferArray().getArray()[0].remaining());
            assertSame(buffer, buffer.toBufferArray().getArray()[0]);
            buffer.dispose();
        });
    }

    @ParameterizedTest
    @EnumSource
    void willAllocateDirectPredictsMemory(Subject subject) throws Exception {
        subject.run(memory -> {
            for (int size : SIZES) {
                Buffer buffer = memory.allocateAtLeast(size);
                assertEquals(buffer.isDirect(), memory.willAllocateDirect(size), () -> "size=" + size);
                buffer.dispose();
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void releaseEndsLease(Subject subject) throws Exception {
        subject.run(memory -> {
            for (int size : SIZES) {
                memory.release(memory.allocate(size));
            }
        });
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "HEAP_MEMORY_MANAGER")
    void bareByteBuffers(Subject subject) throws Exception {
        subject.run(memory -> {
            ByteBufferAware bare = (ByteBufferAware) memory;
            byte[] bytes = random(100);
            ByteBuffer one = bare.allocateByteBuffer(1000);
            ByteBuffer other = bare.allocateByteBufferAtLeast(1000);
            assertEquals(0, one.position());
            assertEquals(1000, one.remaining());
            assertTrue(other.remaining() >= 1000);
            for (int size : new int[] {500, 1001, 5000, 300_000}) {
                one = bare.reallocateByteBuffer(one.put(0, bytes).position(100), size);
                assertEquals(100, one.position());
                assertTrue(one.limit() >= size);
                churn(memory, size);
                byte[] read = new byte[100];
                one.get(0, read);
                assertArrayEquals(bytes, read);
            }
            bare.releaseByteBuffer(other);
            bare.releaseByteBuffer(one);
        });
    }

    @ParameterizedTest
    @EnumSource
    void buffersAreComparedByTheirContent(Subject subject) throws Exception {
        subject.run(memory -> {
            Buffer one = filled(memory, new byte[] {1, 2, 3});
            Buffer same = filled(memory, new byte[] {1, 2, 3});
            Buffer greater = filled(memory, new byte[] {1, 2, 4});
            assertEquals(one, same);
            assertNotEquals(one, greater);
            assertEquals(0, one.compareTo(same));
            assertTrue(one.compareTo(greater) < 0);
            greater.dispose();
            same.dispose();
            one.dispose();
        });
    }
}
