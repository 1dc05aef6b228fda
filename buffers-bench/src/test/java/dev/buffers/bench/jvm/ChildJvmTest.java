// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.jvm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How a JVM that was started is ended again. */
class ChildJvmTest {

    /** Says a word for each line it gets, and ends with its input. */
    static final class Parrot {
        public static void main(String[] args) throws IOException {
            for (int b = System.in.read(); b >= 0; b = System.in.read()) {
                System.out.println(args[0]);
            }
        }
    }

    /** Never ends by itself. */
    static final class Stubborn {
        public static void main(String[] args) throws InterruptedException {
            new CountDownLatch(1).await();
        }
    }

    @Test
    void answersAndEndsWhenClosed() throws Exception {
        ProcessHandle handle;
        try (ChildJvm jvm = ChildJvm.start("parrot", List.of(), Parrot.class, List.of("hello"))) {
            handle = ProcessHandle.of(jvm.pid()).orElseThrow();
            assertEquals("hello", jvm.ask());
            assertEquals("hello", jvm.ask());
        }
        handle.onExit().get(10, TimeUnit.SECONDS);
        assertFalse(handle.isAlive());
    }

    @Tag("full")
    @Test
    void stubbornJvmIsEndedByForce() throws Exception {
        ProcessHandle handle;
        try (ChildJvm jvm = ChildJvm.start("stubborn", List.of(), Stubborn.class, List.of())) {
            handle = ProcessHandle.of(jvm.pid()).orElseThrow();
        }
        handle.onExit().get(10, TimeUnit.SECONDS);
        assertFalse(handle.isAlive());
    }
}
