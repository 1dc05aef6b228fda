// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.work;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Numbers in a {@code byte[]}, packed by hand as everybody did before there were buffers, and the views that replace that. */
final class Packing {
    static final VarHandle ARRAY_INT_BIG = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    static final VarHandle ARRAY_INT_LITTLE =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    static final VarHandle ARRAY_LONG_BIG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    static final VarHandle ARRAY_SHORT_BIG = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
    static final VarHandle BUFFER_INT_BIG = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    static final VarHandle BUFFER_INT_LITTLE =
            MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    static final VarHandle BUFFER_LONG_BIG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    static final VarHandle BUFFER_SHORT_BIG =
            MethodHandles.byteBufferViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);

    private Packing() {}

    static void putIntBig(byte[] array, int at, int value) {
        array[at] = (byte) (value >>> 24);
        array[at + 1] = (byte) (value >>> 16);
        array[at + 2] = (byte) (value >>> 8);
        array[at + 3] = (byte) value;
    }

    static void putIntLittle(byte[] array, int at, int value) {
        array[at] = (byte) value;
        array[at + 1] = (byte) (value >>> 8);
        array[at + 2] = (byte) (value >>> 16);
        array[at + 3] = (byte) (value >>> 24);
    }

    static void putLongBig(byte[] array, int at, long value) {
        putIntBig(array, at, (int) (value >>> 32));
        putIntBig(array, at + 4, (int) value);
    }

    static void putShortBig(byte[] array, int at, short value) {
        array[at] = (byte) (value >>> 8);
        array[at + 1] = (byte) value;
    }

    static int getIntBig(byte[] array, int at) {
        return array[at] << 24 | (array[at + 1] & 0xff) << 16 | (array[at + 2] & 0xff) << 8 | array[at + 3] & 0xff;
    }

    static long getLongBig(byte[] array, int at) {
        return (long) getIntBig(array, at) << 32 | getIntBig(array, at + 4) & 0xffff_ffffL;
    }

    static short getShortBig(byte[] array, int at) {
        return (short) (array[at] << 8 | array[at + 1] & 0xff);
    }
}
