// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import dev.buffers.support.DirectRoom;
import dev.buffers.support.Jvm;
import dev.buffers.support.Overflow;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * I10, and S4 of {@code Slot}: stacks that overflow inside the pool take nothing for good. Fifty of each kind; with the profile {@code burn}
 * hundreds, interpreted and compiled by each compiler.
 */
@Tag("full")
class OverflowTest {
    @ParameterizedTest
    @EnumSource
    void withoutGuard(Overflow.Kind kind) throws Exception {
        overflow(BufferPool.builder("overflow"), kind, 50);
    }

    @ParameterizedTest
    @EnumSource(names = {"HITS", "HOLDS", "CHANNELS"})
    void withGuard(Overflow.Kind kind) throws Exception {
        overflow(BufferPool.builder("overflow").policy("heap-view").guard(true), kind, 20);
    }

    static void overflow(BufferPool.Builder builder, Overflow.Kind kind, int count) throws Exception {
        DirectRoom.make();
        Overflow.run(builder.max(32 << 20).build(), kind, count, 42);
    }

    @Tag("burn")
    @ParameterizedTest
    @ValueSource(strings = {"-Xint", "-XX:TieredStopAtLevel=1", "-XX:-TieredCompilation", "-XX:TieredStopAtLevel=4"})
    void inEachModeOfCompilation(String mode) throws Exception {
        burn(Overflow.class, mode, "50");
    }

    static void burn(Class<?> main, String mode, String count) throws Exception {
        String seed = String.valueOf(new SplittableRandom().nextInt(1_000_000));
        System.out.println(main.getName() + ": " + mode + " seed=" + seed);
        long start = System.nanoTime();
        String said = Jvm.run(1800, main, new String[] {mode}, count, seed);
        System.out.println("seconds=" + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start) + "\n" + said);
    }
}
