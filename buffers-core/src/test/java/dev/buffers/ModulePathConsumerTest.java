// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.buffers.support.Jdk;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A user's module that requires ours, compiled and run on the module path in a separate JVM. JCTools is the only other module there, and
 * nothing may be written to standard error: neither we nor it may make the JVM warn.
 */
class ModulePathConsumerTest {

    private static final String MODULE = """
            module consumer {
                requires dev.buffers;
            }
            """;

    private static final String MAIN = """
            package consumer;

            import dev.buffers.BufferPool;

            public class Main {
                public static void main(String[] args) {
                    try (var pool = BufferPool.create("consumer")) {
                        try (var lease = pool.acquire(100)) {
                            lease.buffer().putInt(42);
                            System.out.println(lease.buffer().position() + " of " + lease.buffer().limit());
                        }
                        System.out.println(Main.class.getModule() + " leases " + pool.stats().leases());
                    }
                }
            }
            """;

    @TempDir
    Path dir;

    @Test
    void aNamedModuleAcquiresAndReleases() throws Exception {
        Path module = Files.writeString(dir.resolve("module-info.java"), MODULE);
        Path main = Files.writeString(dir.resolve("Main.java"), MAIN);
        Path classes = dir.resolve("classes");

        assertEquals(
                "",
                Jdk.run(
                        "javac",
                        "--release",
                        "17",
                        "-d",
                        classes.toString(),
                        "-p",
                        library(),
                        module.toString(),
                        main.toString()));
        assertEquals(
                "4 of 100\nmodule consumer leases 0\n",
                Jdk.java("-p", classes + File.pathSeparator + library(), "-m", "consumer/consumer.Main"));
    }

    /** The module path of a user's build: our module and the two jars it names. */
    private static String library() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(ModulePathConsumerTest::isOursOrJctools)
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static boolean isOursOrJctools(String entry) {
        Path path = Path.of(entry);
        return path.getFileName().toString().startsWith("jctools-core")
                || Files.exists(path.resolve("module-info.class"));
    }
}
