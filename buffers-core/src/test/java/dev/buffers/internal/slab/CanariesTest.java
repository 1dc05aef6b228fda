package dev.buffers.internal.slab;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CanariesTest {

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 31, Canaries.BYTES - 1})
    void theFirstChangedByteIsFound(int at) {
        ByteBuffer bytes = ByteBuffer.allocate(Canaries.BYTES);
        bytes.position(7); // laid whatever the position
        Canaries.lay(bytes);
        assertEquals(-1, Canaries.firstChanged(bytes));
        bytes.put(at, (byte) 0);
        bytes.put(Canaries.BYTES - 1, (byte) 0);
        assertEquals(at, Canaries.firstChanged(bytes));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 10})
    void theLastSlotOfARegionMayHaveFewer(int length) {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        Canaries.lay(bytes);
        assertEquals(-1, Canaries.firstChanged(bytes));
    }
}
