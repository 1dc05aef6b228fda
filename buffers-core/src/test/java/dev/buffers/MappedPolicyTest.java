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
import org.junit.jupiter.api.Test;

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

    /** Prints the results of acquires from pools with the policy: one that counts, one that does not, and one with guard. */
    static final class NearLimit {
        public static void main(String[] args) {
            ByteBuffer used = ByteBuffer.allocateDirect((int) (15.9 * (1 << 20)));
            print(true, false);
            print(false, false);
            print(false, true);
            Reference.reachabilityFence(used);
        }

        private static void print(boolean counts, boolean guard) {
            try (BufferPool pool = BufferPool.builder("mapped")
                            .policy(new Mapped(counts))
                            .max(4 << 20)
                            .guard(guard)
                            .build();
                    PooledBuffer lease = pool.tryAcquire(1 << 20)) {
                System.out.println(lease == null ? "refused" : lease.capacity());
            }
        }
    }

    /** With {@code guard=on} on Java 22 or later no policy is called. */
    @Test
    void memoryThatDoesNotCountAsDirectIsNotRefusedAtLimit() throws Exception {
        assertEquals("refused\n1048576\n1048576\n", Jvm.run(NearLimit.class, "-XX:MaxDirectMemorySize=16m"));
    }
}
