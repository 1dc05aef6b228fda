// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import dev.buffers.support.DirectRoom;
import dev.buffers.support.Overflow;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** I10 on virtual threads: their stacks overflow inside the pool. */
@Tag("virtual")
class OverflowVirtualTest {

    @ParameterizedTest
    @EnumSource
    void onVirtualThread(Overflow.Kind kind) throws Exception {
        DirectRoom.make();
        BufferPool pool = BufferPool.builder("overflow").max(32 << 20).build();
        Overflow.run(pool, kind, 20, 42, Thread.ofVirtual()::unstarted);
    }

    @Tag("burn")
    @ParameterizedTest
    @ValueSource(strings = {"-Xint", "-XX:TieredStopAtLevel=1", "-XX:-TieredCompilation", "-XX:TieredStopAtLevel=4"})
    void inEachModeOfCompilation(String mode) throws Exception {
        OverflowTest.burn(Burn.class, mode, "75");
    }

    /** All kinds on virtual threads, in a separate JVM; its arguments are those of {@link Overflow}. */
    static final class Burn {
        public static void main(String[] args) throws Exception {
            long seed = Long.parseLong(args[1]);
            for (PoolSettings.Freeing free : freeings()) {
                BufferPool.Builder pools = BufferPool.builder("overflow").free(free);
                seed = Overflow.each(pools, Integer.parseInt(args[0]), seed, Thread.ofVirtual()::unstarted);
            }
        }

        /** {@code free=prompt} needs Java 22. */
        private static List<PoolSettings.Freeing> freeings() {
            return Runtime.version().feature() < 22
                    ? List.of(PoolSettings.Freeing.GC)
                    : List.of(PoolSettings.Freeing.values());
        }
    }
}
