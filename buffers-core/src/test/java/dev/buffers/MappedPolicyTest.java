// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.buffers.support.Jvm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The JVM's limit for direct memory does not count mapped files, and refuses none. Runs in a separate JVM near that limit. */
class MappedPolicyTest {

    private record Mapped(boolean countsAsDirect) implements BufferPolicy {
        @Override
        public String name() {
            return "mapped";
        }

        @Override
        public boolean direct() {
            return true;
        }

        @Override
        public boolean views() {
            return true;
        }

        @Override
        public ByteBuffer allocate(int bytes) {
            try (FileChannel file = FileChannel.open(
                    Files.createTempFile("mapped", null),
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE,
                    StandardOpenOption.DELETE_ON_CLOSE)) {
                return file.map(FileChannel.MapMode.READ_WRITE, 0, bytes);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Prints the result of an acquire from a pool with the policy. */
    static final class NearLimit {
        public static void main(String[] args) {
            ByteBuffer used = ByteBuffer.allocateDirect((int) (15.9 * (1 << 20)));
            try (BufferPool pool = BufferPool.builder("mapped")
                            .policy(new Mapped(Boolean.parseBoolean(args[0])))
                            .max(4 << 20)
                            .guard(Boolean.parseBoolean(args[1]))
                            .build();
                    PooledBuffer lease = pool.tryAcquire(1 << 20)) {
                System.out.println(lease == null ? "refused" : lease.capacity());
            }
            Reference.reachabilityFence(used);
        }
    }

    /** With {@code guard=on} on Java 22 or later no policy is called. */
    @ParameterizedTest
    @CsvSource({"true, false, refused", "false, false, 1048576", "false, true, 1048576"})
    void memoryThatDoesNotCountAsDirectIsNotRefusedAtLimit(String counts, String guard, String expected)
            throws Exception {
        String[] options = {"-XX:MaxDirectMemorySize=16m"};
        assertEquals(expected + "\n", Jvm.run(100, NearLimit.class, options, counts, guard));
    }
}
