// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.failsafe;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.support.Jvm;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the compilers make of {@link StackProbe} differs from what the interpreter does; the room must not. */
class StackProbeTest {

    /** Counts how many frames fit below the last check that passed. */
    static final class Room {
        private static int passed;
        private static int left;

        public static void main(String[] args) throws Exception {
            for (int i = 0; i < 50_000; i++) {
                dive(i % 4, 5);
                frames(i % 50);
            }
            onStack(512 << 10, () -> {
                for (left = -1; left < 0; ) { // again if a compiler has changed the frames
                    dive(Integer.MAX_VALUE, Integer.MAX_VALUE); // how deep a check passes
                    dive(Integer.MAX_VALUE, passed);
                }
            });
            System.out.println(left);
        }

        private static void onStack(int bytes, Runnable work) throws InterruptedException {
            Thread thread = new Thread(null, work, "room", bytes);
            thread.start();
            thread.join();
        }

        /** Checks in each frame, until one fails; measures the room left in the last frame that passes. */
        private static void dive(int frames, int last) {
            passed = 0;
            try {
                checkedFrames(frames, last);
            } catch (StackOverflowError e) {
                // that check has failed
            }
        }

        private static void checkedFrames(int n, int last) {
            StackProbe.check();
            if (++passed == last) {
                left = frames();
            } else if (n > 0) {
                checkedFrames(n - 1, last);
            }
        }

        /** How many fit. */
        private static int frames() {
            for (int n = 64; ; n += 32) {
                try {
                    frames(n);
                } catch (StackOverflowError e) {
                    return n;
                }
            }
        }

        private static int frames(int n) {
            return n == 0 ? 0 : 1 + frames(n - 1);
        }
    }

    /** A frame takes some hundred bytes in the interpreter, at least 48 or 32 when compiled. */
    @ParameterizedTest
    @ValueSource(strings = {"-Xint", "-XX:TieredStopAtLevel=1", "-XX:TieredStopAtLevel=4"})
    void passedCheckLeavesRoomForHundredFrames(String mode) throws Exception {
        int frames = Integer.parseInt(Jvm.run(Room.class, mode).trim());
        assertTrue(frames >= 100, () -> "frames below the last check: " + frames);
    }
}
