// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.jetty;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.Arrays;
import java.util.Map;
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.RetainableByteBuffer;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The further contract of Jetty 12.1 for a pool's buffers: its own pool and ours pass the same tests. */
class PooledContractTest {
    private static final byte[] BYTES = {1, 2, 3, 4, 5, 6, 7, 8};

    private ByteBufferPool pool = ByteBufferPool.NON_POOLING;

    @AfterEach
    void close() {
        if (pool instanceof JettyBufferPool ours) {
            assertEquals(
                    0, ours.pool().stats().leases() + ours.heapPool().stats().leases());
            ours.close();
        }
        System.getProperties().keySet().removeIf(key -> key.toString().startsWith("buffers."));
    }

    private RetainableByteBuffer.Mutable filled(boolean direct) {
        RetainableByteBuffer.Mutable buffer = pool.acquire(1000, direct);
        assertTrue(buffer.append(ByteBuffer.wrap(BYTES)));
        return buffer;
    }

    @ParameterizedTest
    @EnumSource
    void theCountCanBeRead(ByteBufferPoolContractTest.Kind kind) {
        pool = kind.make();
        RetainableByteBuffer buffer = pool.acquire(1000, true);
        assertInstanceOf(RetainableByteBuffer.Pooled.class, buffer);
        assertEquals(1, buffer.getRetained());
        buffer.retain();
        assertEquals(2, buffer.getRetained());
        buffer.release();
        buffer.release();
        assertEquals(0, buffer.getRetained());
    }

    @ParameterizedTest
    @EnumSource
    void numbersAreAppendedInBigEndian(ByteBufferPoolContractTest.Kind kind) {
        pool = kind.make();
        RetainableByteBuffer.Mutable buffer = pool.acquire(1000, true);
        assertEquals(buffer.capacity(), buffer.space());
        buffer.put((byte) 1).putShort((short) 0x0203).putInt(0x04050607).put(BYTES, 7, 1);
        assertEquals(8, buffer.remaining());
        assertEquals(buffer.capacity() - 8, buffer.space());
        assertEquals(5, buffer.get(4));
        assertArrayEquals(BYTES, BufferUtil.toArray(buffer.getByteBuffer()));
        byte[] more = new byte[buffer.capacity() - 7];
        assertThrows(BufferOverflowException.class, () -> buffer.put(more, 0, more.length));
        assertFalse(buffer.append(ByteBuffer.wrap(more)));
        assertTrue(buffer.isFull());
        buffer.release();
    }

    @ParameterizedTest
    @EnumSource
    void clearedBufferHasAllItsRoom(ByteBufferPoolContractTest.Kind kind) {
        pool = kind.make();
        RetainableByteBuffer.Mutable buffer = filled(true);
        buffer.clear();
        assertTrue(buffer.isEmpty());
        assertEquals(buffer.capacity(), buffer.space());
        buffer.release();
    }

    @ParameterizedTest
    @EnumSource
    void aSliceHoldsTheBuffer(ByteBufferPoolContractTest.Kind kind) {
        pool = kind.make();
        RetainableByteBuffer buffer = filled(true);
        RetainableByteBuffer slice = buffer.slice(4);
        assertTrue(buffer.isRetained());
        assertFalse(buffer.release());
        assertArrayEquals(Arrays.copyOf(BYTES, 4), BufferUtil.toArray(slice.getByteBuffer()));
        RetainableByteBuffer part = slice.slice(2);
        assertFalse(slice.release());
        assertEquals(2, part.remaining());
        assertTrue(part.release());
        assertThrows(IllegalStateException.class, part::release);
        assertThrows(IllegalStateException.class, buffer::release);
    }

    @ParameterizedTest
    @EnumSource
    void copyIsSeparateBufferOfPool(ByteBufferPoolContractTest.Kind kind) {
        pool = kind.make();
        for (boolean direct : new boolean[] {true, false}) {
            RetainableByteBuffer buffer = filled(direct);
            RetainableByteBuffer copy = buffer.copy();
            assertInstanceOf(RetainableByteBuffer.Pooled.class, copy);
            assertEquals(buffer.isDirect(), copy.isDirect());
            assertFalse(buffer.isRetained());
            assertTrue(buffer.release());
            assertArrayEquals(BYTES, BufferUtil.toArray(copy.getByteBuffer()));
            assertTrue(copy.release());
        }
    }

    @ParameterizedTest
    @EnumSource
    void retainedBufferIsNotMutable(ByteBufferPoolContractTest.Kind kind) {
        pool = kind.make();
        RetainableByteBuffer buffer = filled(true);
        buffer.asMutable();
        buffer.retain();
        assertThrows(ReadOnlyBufferException.class, buffer::asMutable);
        buffer.release();
        buffer.release();
    }

    @ParameterizedTest
    @EnumSource
    void takenByteArrayIsCopy(ByteBufferPoolContractTest.Kind kind) {
        pool = kind.make();
        byte[] expected = new byte[4096];
        Arrays.fill(expected, (byte) 7);
        RetainableByteBuffer.DynamicCapacity dynamic =
                new RetainableByteBuffer.DynamicCapacity(pool, false, -1, expected.length);
        dynamic.append(ByteBuffer.wrap(expected));
        byte[] taken = dynamic.takeByteArray();
        dynamic.release();
        RetainableByteBuffer next = pool.acquire(expected.length, false);
        assertNotSame(taken, next.getByteBuffer().array());
        Arrays.fill(next.getByteBuffer().array(), (byte) 8);
        assertArrayEquals(expected, taken);
        next.release();
    }

    @ParameterizedTest
    @EnumSource
    void buffersThatGrow(ByteBufferPoolContractTest.Kind kind) {
        pool = kind.make();
        for (boolean direct : new boolean[] {true, false}) {
            RetainableByteBuffer.DynamicCapacity dynamic =
                    new RetainableByteBuffer.DynamicCapacity(pool, direct, 100_000, 1000);
            byte[] expected = new byte[100_000];
            for (int i = 0; i < expected.length; i++) {
                expected[i] = (byte) i;
                dynamic.put((byte) i);
            }
            assertThrows(BufferOverflowException.class, () -> dynamic.put((byte) 0));
            RetainableByteBuffer head = dynamic.take(30_000);
            assertArrayEquals(Arrays.copyOf(expected, 30_000), BufferUtil.toArray(head.getByteBuffer()));
            head.release();
            assertArrayEquals(
                    Arrays.copyOfRange(expected, 30_000, 100_000), BufferUtil.toArray(dynamic.getByteBuffer()));
            assertTrue(dynamic.release());
        }
    }

    @ParameterizedTest
    @EnumSource
    void bufferIsDescribedBeforeAndAfterRelease(ByteBufferPoolContractTest.Kind kind) {
        pool = kind.make();
        RetainableByteBuffer buffer = filled(true);
        String bounds = "/" + buffer.capacity() + ",d=" + buffer.isDirect();
        String name = ThisJetty.name(buffer);
        assertEquals(name + "[8" + bounds + ",rc=1]", buffer.toString());
        assertTrue(buffer.toDetailString().startsWith(buffer + "={"), buffer::toDetailString);
        assertTrue(buffer.toDetailString().contains("\\x01"), buffer::toDetailString);
        buffer.getByteBuffer();
        buffer.release();
        assertEquals(name + "[0" + bounds + ",rc=0]", buffer.toString());
        assertTrue(buffer.toDetailString().startsWith(buffer + "={"), buffer::toDetailString);
    }

    /** Also a buffer that was filled without a call of {@code getByteBuffer}. */
    @ParameterizedTest
    @EnumSource
    void releasedBufferIsEmpty(ByteBufferPoolContractTest.Kind kind) {
        pool = kind.make();
        RetainableByteBuffer buffer = filled(true);
        buffer.release();
        assertEquals(0, buffer.size());
        assertTrue(buffer.isEmpty());
        RetainableByteBuffer next = filled(true);
        if (kind != ByteBufferPoolContractTest.Kind.JETTY) { // where both look at the same bounds
            assertEquals(0, buffer.size());
            assertTrue(buffer.isEmpty());
            assertThrows(IllegalStateException.class, buffer::copy); // and acquires nothing for it
        }
        next.release();
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "JETTY") // whose buffers write into the next holder's memory
    void lateCallLeavesNextHolderAlone(ByteBufferPoolContractTest.Kind kind) throws Exception {
        pool = kind.make();
        for (Method method : RetainableByteBuffer.Mutable.class.getMethods()) {
            if (!Modifier.isStatic(method.getModifiers())) {
                assertLateCallLeavesNextHolderAlone(method, filled(false));
                RetainableByteBuffer.Mutable read = filled(false);
                read.getByteBuffer();
                assertLateCallLeavesNextHolderAlone(method, read);
            }
        }
        RetainableByteBuffer.Mutable late = filled(false);
        late.release();
        assertThrows(IllegalStateException.class, () -> late.append(ByteBuffer.wrap(BYTES)));
        assertThrows(IllegalStateException.class, () -> late.get(0));
        assertThrows(IllegalStateException.class, late::space);
    }

    private void assertLateCallLeavesNextHolderAlone(Method method, RetainableByteBuffer.Mutable late)
            throws IllegalAccessException {
        Object[] arguments = Arrays.stream(method.getParameterTypes())
                .map(PooledContractTest::argument)
                .toArray();
        late.release();
        RetainableByteBuffer next = filled(false);
        ByteBuffer memory = next.getByteBuffer();
        ByteBuffer bounds = memory.duplicate();
        byte[] bytes = BufferUtil.toArray(memory.duplicate().clear());
        try {
            method.invoke(late, arguments);
        } catch (InvocationTargetException e) {
            assertInstanceOf(Exception.class, e.getCause(), method::toString);
        }
        assertEquals(bounds.position(), memory.position(), method::toString);
        assertEquals(bounds.limit(), memory.limit(), method::toString);
        assertArrayEquals(bytes, BufferUtil.toArray(memory.duplicate().clear()), method::toString);
        next.release();
    }

    private static Object argument(Class<?> type) {
        if (type == ByteBuffer.class) {
            return ByteBuffer.wrap(BYTES);
        } else if (type == RetainableByteBuffer.class) {
            return RetainableByteBuffer.wrap(ByteBuffer.wrap(BYTES));
        } else if (type == byte[].class) {
            return BYTES.clone();
        } else if (type == Content.Sink.class) {
            Content.Sink sink = (last, bytes, callback) -> callback.succeeded();
            return sink;
        } else if (type == Callback.class) {
            return Callback.NOOP;
        }
        Map<Class<?>, Object> ones =
                Map.of(byte.class, (byte) 1, short.class, (short) 1, int.class, 1, long.class, 1L, boolean.class, true);
        return ones.get(type);
    }
}
