package dev.buffers.internal.slab;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ZerosTest {

    /** It writes in pieces of 4,096 bytes. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4095, 4096, 4097, 10_000})
    void allBytesAndNoOthers(int bytes) {
        byte[] array = new byte[bytes + 2];
        Arrays.fill(array, (byte) 7);
        ByteBuffer view = ByteBuffer.wrap(array).slice(1, bytes);
        view.position(bytes / 2).limit(bytes / 2); // what the last holder has left
        Zeros.write(view);
        byte[] expected = new byte[bytes + 2];
        expected[0] = 7;
        expected[bytes + 1] = 7;
        assertEquals(ByteBuffer.wrap(expected), ByteBuffer.wrap(array));
        assertEquals(0, view.position());
        assertEquals(bytes, view.limit());
    }
}
