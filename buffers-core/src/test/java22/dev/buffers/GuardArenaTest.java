// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.buffers.support.Kind;
import java.nio.ByteBuffer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** With arenas a use after the release fails at the line that does it. */
class GuardArenaTest {

    static Stream<Kind> direct() {
        return Kind.chosen().filter(Kind::isDirect);
    }

    @ParameterizedTest
    @MethodSource("direct")
    void anyUseOfADirectBufferAfterItsReleaseThrows(Kind kind) {
        try (BufferPool pool = kind.builder("guarded").guard(true).build()) {
            PooledBuffer lease = pool.acquire(1000);
            ByteBuffer kept = lease.buffer();
            kept.put(17, (byte) 1);
            lease.release();
            assertThrows(IllegalStateException.class, () -> kept.get(17));
            assertThrows(IllegalStateException.class, () -> kept.put(17, (byte) 2));
            assertThrows(IllegalStateException.class, () -> kept.duplicate().get(17));
        }
    }
}
