package dev.buffers.internal.slab;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class FillTest {

    /** It writes in pieces of 4,096 bytes. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4095, 4096, 4097, 10_000})
    void allBytesAndNoOthers(int bytes) {
        byte[] array = new byte[bytes + 2];
        Arrays.fill(array, (byte) 7);
        ByteBuffer view = ByteBuffer.wrap(array).slice(1, bytes);
        view.position(bytes / 2).limit(bytes / 2); // what the last holder has left
        Fill.ZERO.write(view);
        byte[] expected = new byte[bytes + 2];
        expected[0] = 7;
        expected[bytes + 1] = 7;
        assertEquals(ByteBuffer.wrap(expected), ByteBuffer.wrap(array));
        assertEquals(0, view.position());
        assertEquals(bytes, view.limit());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 31, Slab.CANARIES - 1})
    void theFirstChangedByteIsFound(int at) {
        ByteBuffer bytes = ByteBuffer.allocate(Slab.CANARIES);
        bytes.position(7); // laid whatever the position
        Fill.CANARY.write(bytes);
        assertEquals(-1, Fill.CANARY.firstChanged(bytes));
        bytes.put(at, (byte) 0);
        bytes.put(Slab.CANARIES - 1, (byte) 0);
        assertEquals(at, Fill.CANARY.firstChanged(bytes));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 10})
    void theLastSlotOfARegionMayHaveFewer(int length) {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        Fill.CANARY.write(bytes);
        assertEquals(-1, Fill.CANARY.firstChanged(bytes));
    }

    @ParameterizedTest
    @EnumSource
    void eachHasAByteOfItsOwn(Fill fill) {
        ByteBuffer bytes = ByteBuffer.allocate(1);
        fill.write(bytes);
        for (Fill other : Fill.values()) {
            assertEquals(other == fill ? -1 : 0, other.firstChanged(bytes));
        }
    }
}
